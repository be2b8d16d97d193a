package io.locket.metrics;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderMetrics}.
 */
class LeaderMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final AtomicLong term = new AtomicLong();

	private final AtomicBoolean idle = new AtomicBoolean();

	private final LeaderMetrics metrics = new LeaderMetrics(this.term::get, this.idle::get);

	@Test
	void leadershipIsMeasured() {
		this.metrics.bindTo(this.registry);
		assertThat(gauge("locket.leader")).isZero();
		assertThat(gauge("locket.leader.term")).isZero();
		this.term.set(17);
		this.metrics.onEvent(new LeadershipGained(17));
		assertThat(gauge("locket.leader")).isOne();
		assertThat(gauge("locket.leader.term")).isEqualTo(17);
		this.term.set(0);
		this.metrics.onEvent(new LeadershipLost(17, true));
		assertThat(gauge("locket.leader")).isZero();
		assertThat(gauge("locket.leader.term")).isEqualTo(17);
	}

	@Test
	void leadershipIsNotANumberWhileThereIsNothingToLeadFor() {
		this.metrics.bindTo(this.registry);
		this.idle.set(true);
		assertThat(gauge("locket.leader")).isNaN();
		this.idle.set(false);
		assertThat(gauge("locket.leader")).isZero();
	}

	@Test
	void leadershipIsMeasuredWhenItsEventsAreLost() {
		this.metrics.bindTo(this.registry);
		this.term.set(17);
		assertThat(gauge("locket.leader")).isOne();
		assertThat(gauge("locket.leader.term")).isEqualTo(17);
		this.term.set(0);
		assertThat(gauge("locket.leader")).isZero();
		assertThat(gauge("locket.leader.term")).isEqualTo(17);
	}

	@Test
	void termThatEndedBeforeARegistryIsBoundIsCounted() {
		this.metrics.onEvent(new LeadershipGained(17));
		this.metrics.onEvent(new LeadershipLost(17, true));
		this.metrics.bindTo(this.registry);
		assertThat(gauge("locket.leader")).isZero();
		assertThat(gauge("locket.leader.term")).isEqualTo(17);
	}

	@Test
	void registryThatOutlivesAContextHasTheValuesOfTheNextOne() {
		this.metrics.bindTo(this.registry);
		this.term.set(17);
		this.metrics.close();
		assertThat(this.registry.getMeters()).isEmpty();
		LeaderMetrics next = new LeaderMetrics(() -> 18, () -> false);
		next.bindTo(this.registry);
		this.term.set(0);
		assertThat(gauge("locket.leader")).isOne();
		assertThat(gauge("locket.leader.term")).isEqualTo(18);
		next.close();
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void registryThatIsBoundAfterTheEndGetsNoGauges() {
		this.metrics.close();
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	private double gauge(String name) {
		return this.registry.get(name).gauge().value();
	}

}
