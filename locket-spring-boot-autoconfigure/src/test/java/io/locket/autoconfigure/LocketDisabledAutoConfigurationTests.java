package io.locket.autoconfigure;

import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobContext;
import io.locket.UniqueJob;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.job.catalog.UniqueJobAdvisor;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.key.JobKeys;
import io.locket.testing.LazyInitialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketDisabledAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocketDisabledAutoConfigurationTests {

	private static final String NOTICE = "methods with @UniqueJob run unguarded";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
				UniqueJobAutoConfiguration.class, LocketDisabledAutoConfiguration.class));

	@Test
	void disabledLeavesNothingButANotice(CapturedOutput output) {
		this.contextRunner.withPropertyValues("locket.enabled=false").withBean("jobs", Jobs.class).run((context) -> {
			assertThat(context).doesNotHaveBean(UniqueJobCatalog.class)
				.doesNotHaveBean(JobKeys.class)
				.doesNotHaveBean(UniqueJobAdvisor.class)
				.doesNotHaveBean(LocketProperties.class);
			context.getBean(Jobs.class).run();
			context.getBean(Jobs.class).run();
			assertThat(context.getBean(Jobs.class).unguarded).hasValue(2);
			assertThat(output.getOut().split(NOTICE, -1)).hasSize(2);
		});
	}

	@Test
	void noticeIsLoggedWithLazyInitialization(CapturedOutput output) {
		this.contextRunner.withPropertyValues("locket.enabled=false")
			.withInitializer(new LazyInitialization())
			.run((context) -> assertThat(output).contains(NOTICE));
	}

	@Test
	void enabledLocketHasNoNotice(CapturedOutput output) {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(UniqueJobCatalog.class)
			.doesNotHaveBean(LocketDisabledAutoConfiguration.class));
		assertThat(output).doesNotContain(NOTICE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "flase", "yes", "" })
	void valueThatIsNeitherTrueNorFalseStopsStartUp(String value) {
		this.contextRunner.withPropertyValues("locket.enabled=" + value)
			.withBean(Producer.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLocketConfigurationException.class)
				.hasMessageContaining("locket.enabled='" + value + "' is neither true nor false"));
	}

	static class Producer {

		Producer(UniqueJobCatalog catalog) {
			assertThat(catalog).isNotNull();
		}

	}

	static class Jobs {

		final AtomicInteger unguarded = new AtomicInteger();

		@UniqueJob
		public void run() {
			if (JobContext.current().isEmpty()) {
				this.unguarded.incrementAndGet();
			}
		}

	}

}
