package io.locket.autoconfigure;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PropertySpellingCheck}.
 */
class PropertySpellingCheckTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
				WorkerAutoConfiguration.class, LeaderAutoConfiguration.class, UniqueJobAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource({ "locket.worker.enabled, 1", "locket.worker.enabled, yes", "locket.leader.enabled, ''",
			"locket.leader.enabled, on", "locket.dashboard.enabled, yes", "locket.logging.mdc, on" })
	void switchThatConditionsCannotReadStopsStartUp(String property, String value) {
		assertRefused(property, value, "is neither true nor false. Write true or false, or remove the property.");
	}

	@ParameterizedTest
	@CsvSource({ "LOCK_REGISTRY", "lockRegistry", "redsi" })
	void storeThatConditionsCannotReadStopsStartUp(String value) {
		assertRefused("locket.lease.store", value,
				"is neither redis nor lock-registry. Write redis or lock-registry, or remove the property.");
	}

	private void assertRefused(String property, String value, String problem) {
		this.contextRunner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLocketConfigurationException.class)
				.hasMessage(property + "='" + value + "' " + problem));
	}

	@ParameterizedTest
	@CsvSource({ "locket.worker.enabled, TRUE", "locket.worker.enabled, 0", "locket.leader.enabled, False",
			"locket.leader.enabled, off", "locket.lease.store, redis", "locket.lease.store, Redis" })
	void valueThatConditionsReadAsItIsBoundIsAccepted(String property, String value) {
		this.contextRunner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
