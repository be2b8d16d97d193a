package io.locket.autoconfigure.observation;

import io.locket.observation.JobMdc;
import io.locket.observer.JobObserver;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketLoggingAutoConfiguration}.
 */
class LocketLoggingAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LocketLoggingAutoConfiguration.class));

	@Test
	void logsTellOfJobs() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(JobMdc.class));
	}

	@Test
	void logsBackOffWithoutSlf4j() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(MDC.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locketJobMdc"));
	}

	@Test
	void logsAreSwitchedOff() {
		this.contextRunner.withPropertyValues("locket.logging.mdc=false")
			.run((context) -> assertThat(context).doesNotHaveBean(JobObserver.class));
		this.contextRunner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(JobObserver.class));
	}

	@Test
	void logsBackOffWhenTheUserHasOwn() {
		JobMdc own = new JobMdc();
		this.contextRunner.withBean(JobMdc.class, () -> own)
			.run((context) -> assertThat(context.getBean(JobObserver.class)).isSameAs(own));
	}

}
