package io.locket.autoconfigure.job;

import io.locket.UniqueJob;
import io.locket.aop.TestLeaseService;
import io.locket.autoconfigure.LocketDisabledAutoConfiguration;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.job.UniqueJobs;
import io.locket.job.catalog.UniqueJobCatalog;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ParentContextCheck}.
 */
class ParentContextCheckTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, UniqueJobAutoConfiguration.class,
				LocketDisabledAutoConfiguration.class));

	private final ApplicationContextRunner parentRunner = this.contextRunner.withBean(TestLeaseService.class)
		.withBean("jobs", Jobs.class);

	@Test
	void childOfAContextWithLocketStopsStartUp() {
		this.parentRunner.run((parent) -> this.contextRunner.withParent(parent)
			.run((child) -> assertThat(child).getFailure()
				.isInstanceOf(InvalidLocketConfigurationException.class)
				.hasMessageStartingWith("locket.enabled is true in this context, whose parent context has Locket, too.")
				.hasMessageContaining("Set locket.enabled=false for this one")));
	}

	@Test
	void contextsBetweenThemAreNoDifference() {
		this.parentRunner.run((parent) -> new ApplicationContextRunner().withParent(parent)
			.run((between) -> this.contextRunner.withParent(between).run((child) -> assertThat(child).hasFailed())));
	}

	@Test
	void childWithoutLocketUsesThatOfItsParent() {
		this.parentRunner.run((parent) -> this.contextRunner.withParent(parent)
			.withPropertyValues("locket.enabled=false")
			.run((child) -> assertThat(child.getBean(UniqueJobs.class).jobs()).hasSize(1)));
	}

	@Test
	void childOfAContextWithoutLocketHasItsOwn() {
		this.contextRunner.withPropertyValues("locket.enabled=false")
			.run((parent) -> this.parentRunner.withParent(parent)
				.withPropertyValues("locket.enabled=true")
				.run((child) -> assertThat(child).hasSingleBean(UniqueJobCatalog.class)));
	}

	static class Jobs {

		@UniqueJob
		public void run() {
		}

	}

}
