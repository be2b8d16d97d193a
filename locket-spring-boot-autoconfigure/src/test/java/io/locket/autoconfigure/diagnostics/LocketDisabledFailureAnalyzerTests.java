package io.locket.autoconfigure.diagnostics;

import io.locket.job.Jobs;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketDisabledFailureAnalyzer}.
 */
class LocketDisabledFailureAnalyzerTests {

	private final MockEnvironment environment = new MockEnvironment();

	private final LocketDisabledFailureAnalyzer analyzer = new LocketDisabledFailureAnalyzer(this.environment);

	@Test
	void missingBeanOfLocketIsExplainedIfLocketIsOff() {
		new ApplicationContextRunner().withBean(Producer.class).run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isInstanceOf(UnsatisfiedDependencyException.class);
			assertThat(this.analyzer.analyze(failure)).isNull();
			this.environment.setProperty("locket.enabled", "False");
			FailureAnalysis analysis = this.analyzer.analyze(failure);
			assertThat(analysis.getDescription()).contains("io.locket.job.Jobs", "locket.enabled is false");
			assertThat(analysis.getAction()).contains("ObjectProvider<Jobs>", "locket.worker.enabled=false");
		});
	}

	@Test
	void otherBeansAreLeftToOthers() {
		this.environment.setProperty("locket.enabled", "false");
		assertThat(this.analyzer.analyze(new NoSuchBeanDefinitionException(Runnable.class))).isNull();
		assertThat(this.analyzer.analyze(new NoSuchBeanDefinitionException("jobs"))).isNull();
	}

	record Producer(Jobs jobs) {

	}

}
