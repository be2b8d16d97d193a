package io.locket.autoconfigure.diagnostics;

import java.time.Duration;
import java.util.Map;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import org.junit.jupiter.api.Test;

import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WrittenValues} in failure analyses.
 */
class WrittenValuesTests {

	@Test
	void sizesAndDurationsKeepTheUnitInWhichTheyAreWritten() {
		assertThat(FailedStart.of("""
				locket:
				  queue:
				    max-payload: 100MB
				  lease.duration: ${LEASE:900000h}
				  worker.poll-interval: 90000ms
				  leader.ttl: PT0S
				""").getDescription()).contains(
				"- locket.queue.max-payload=100MB (Byte array resource [application.yml] - 3:18) is not between",
				"- locket.lease.duration=900000h (Byte array resource [application.yml] - 4:19) is longer than 36500 days.",
				"- locket.worker.poll-interval=90000ms (Byte array resource [application.yml] - 5:25) is not between 10ms and 1m.",
				"- locket.leader.ttl=PT0S (Byte array resource [application.yml] - 6:15) is shorter than 1ms.");
	}

	@Test
	void placeOfOtherValuesIsNamed() {
		assertThat(FailedStart.of("""
				locket:
				  namespace: a b
				  redis.wait-replicas: -1
				  worker:
				    queues:
				      - low
				      - high=2
				  queues:
				    "[eu.mail]":
				      max-running: -1
				""").getDescription()).contains(
				"- locket.namespace='a b' (Byte array resource [application.yml] - 2:14) must not have",
				"- locket.redis.wait-replicas=-1 (Byte array resource [application.yml] - 3:24) is negative.",
				"- locket.worker.queues='high=2' (Byte array resource [application.yml] - 6:9) has a weight",
				"- locket.queues[eu.mail].max-running=-1 (Byte array resource [application.yml] - 10:20) is negative.");
	}

	@Test
	void environmentVariableIsNamed() {
		MockEnvironment environment = new MockEnvironment();
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of("LOCKET_LEASE_DURATION", "0m")));
		assertThat(new WrittenValues(environment)
			.describe(new Problem("locket.lease.duration", Duration.ZERO, "is zero.", ""))).isEqualTo(
					"locket.lease.duration=0m (\"LOCKET_LEASE_DURATION\" from property source \"systemEnvironment\")");
	}

	@Test
	void valueIsFoundBelowAKeyInUpperCase() {
		MockEnvironment environment = new MockEnvironment().withProperty("locket.schedules.Nightly.every", "500ms");
		assertThat(new WrittenValues(environment)
			.describe(new Problem("locket.schedules.Nightly.every", Duration.ofMillis(500), "", "")))
			.startsWith("locket.schedules.Nightly.every=500ms (");
		assertThat(new WrittenValues(environment)
			.describe(new Problem("locket.schedules.Nightly.every", Duration.ofMinutes(1), "", "")))
			.startsWith("locket.schedules.Nightly.every=500ms (");
	}

	@Test
	void valueWithoutAKnownPlaceIsShownAlone() {
		WrittenValues written = new WrittenValues(new MockEnvironment());
		assertThat(written.describe(new Problem("locket.leader.ttl", Duration.ofSeconds(90), "", "")))
			.isEqualTo("locket.leader.ttl=90s");
		assertThat(written.describe(new Problem("LOCKET_SCHEDULES_A_EVERY", "5", "", "")))
			.isEqualTo("LOCKET_SCHEDULES_A_EVERY=5");
		assertThat(written.describe(new Problem("locket.schedules.a", null, "", ""))).isEqualTo("locket.schedules.a");
	}

}
