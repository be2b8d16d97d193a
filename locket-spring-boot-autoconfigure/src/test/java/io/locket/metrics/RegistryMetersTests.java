package io.locket.metrics;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RegistryMeters}.
 */
class RegistryMetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void counterThatWasRemovedIsRegisteredAgain() {
		RegistryMeters meters = new RegistryMeters(this.registry, new TagValues());
		Counter first = meters.counter(LocketMeters.HEARTBEAT_FAILURES);
		assertThat(meters.counter(LocketMeters.HEARTBEAT_FAILURES)).isSameAs(first);
		this.registry.remove(first);
		assertThat(meters.knownCounter(LocketMeters.HEARTBEAT_FAILURES)).isNull();
		assertThat(meters.counter(LocketMeters.HEARTBEAT_FAILURES)).isNotSameAs(first);
	}

	@Test
	void meterIsKnownUnlessItsValueIsBeyondTheBound() {
		RegistryMeters meters = new RegistryMeters(this.registry, new TagValues());
		Counter first = counter(meters, "job-0");
		IntStream.range(1, TagValues.MAX_VALUES).forEach((i) -> counter(meters, "job-" + i));
		Counter others = counter(meters, "beyond");
		assertThat(others.getId().getTag("job")).isEqualTo("(other)");
		assertThat(meters.knownCounter(LocketMeters.LEASE_ACQUISITIONS, "job-0", "key", "acquired")).isSameAs(first);
		assertThat(meters.knownCounter(LocketMeters.LEASE_ACQUISITIONS, "beyond", "key", "acquired")).isNull();
	}

	private static Counter counter(RegistryMeters meters, String job) {
		return meters.counter(LocketMeters.LEASE_ACQUISITIONS, job, "key", "acquired");
	}

	@Test
	void gaugeOfAnotherContextStays() {
		RegistryMeters first = new RegistryMeters(this.registry, new TagValues());
		first.gauge(LocketMeters.LEADER, "state", String::length);
		RegistryMeters second = new RegistryMeters(this.registry, new TagValues());
		second.gauge(LocketMeters.LEADER, "other", String::length);
		second.removeGauges();
		assertThat(this.registry.get("locket.leader").gauge().value()).isEqualTo(5);
		first.removeGauges();
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void registryThatOutlivesAContextHoldsNoneOfItsMeters() {
		RegistryMeters meters = new RegistryMeters(this.registry, new TagValues());
		meters.gauge(LocketMeters.LEADER, "state", String::length);
		assertThat(this.registry.get("locket.leader").gauge().value()).isEqualTo(5);
		meters.removeGauges();
		assertThat(this.registry.getMeters()).isEmpty();
		meters.gauge(LocketMeters.LEADER, "state", String::length);
		assertThat(this.registry.getMeters()).isEmpty();
		WeakReference<RegistryMeters> held = new WeakReference<>(meters);
		Reference.reachabilityFence(meters);
		meters = null;
		await().until(() -> {
			System.gc();
			return held.get() == null;
		});
	}

}
