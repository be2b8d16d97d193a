package io.locket.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseForced;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.event.LeaseUnavailable;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseMetrics}.
 */
class LeaseMetricsTests {

	private static final JobKey BILL = new JobKey("billing.bill", "d1", "[42]");

	private static final JobKey MAIL = new JobKey("mail.send", "d2", "[43]");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LeaseMetrics metrics = new LeaseMetrics();

	@BeforeEach
	void bind() {
		this.metrics.bindTo(this.registry);
	}

	@Test
	void acquisitionsAreCountedByJobAndOutcome() {
		publish(new LeaseAcquired(BILL, 1, false), new LeaseAcquired(BILL, 2, false), new LeaseConflicted(BILL, null),
				new LeaseUnavailable(BILL, "down"), new LeaseAcquired(MAIL, 3, false));
		assertThat(acquisitions("billing.bill", "acquired")).isEqualTo(2);
		assertThat(acquisitions("billing.bill", "conflicted")).isOne();
		assertThat(acquisitions("billing.bill", "unavailable")).isOne();
		assertThat(acquisitions("mail.send", "acquired")).isOne();
	}

	@Test
	void heldLeasesGoUpAndDownToZero() {
		publish(new LeaseAcquired(BILL, 1, false), new LeaseAcquired(BILL, 2, false),
				new LeaseAcquired(MAIL, 3, false));
		assertThat(held("billing.bill")).isEqualTo(2);
		publish(new LeaseReleased(BILL, 1, Duration.ofSeconds(2)));
		assertThat(held("billing.bill")).isOne();
		publish(new LeaseLost(BILL, 2, LeaseLossCause.TAKEN));
		assertThat(held("billing.bill")).isZero();
		assertThat(held("mail.send")).isOne();
	}

	@Test
	void lostRunWithoutAKeyLeaseIsCountedAndWasNeverHeld() {
		publish(new LeaseAcquired(BILL, 1, false), new LeaseLost(BILL, 0, LeaseLossCause.GONE, LeaseKind.RUN));
		assertThat(held("billing.bill")).isOne();
		assertThat(this.registry.get("locket.lease.lost").tags("kind", "run", "cause", "gone").counter().count())
			.isOne();
		assertThat(this.registry.get("locket.lease.lost").tags("kind", "key", "cause", "gone").counter().count())
			.isZero();
	}

	@Test
	void leasesOfLocketAreTaggedAsSuch() {
		JobKey leader = new JobKey("locket.leader", "d3", "[]");
		publish(new LeaseAcquired(leader, 1, false), new LeaseAcquired(BILL, 2, false));
		assertThat(this.registry.get("locket.lease.acquisitions")
			.tags("kind", "internal", "outcome", "acquired")
			.counter()
			.count()).isOne();
		assertThat(this.registry.get("locket.lease.held").tags("kind", "internal").gauge().value()).isOne();
		assertThat(this.registry.get("locket.lease.held").tags("kind", "key").gauge().value()).isOne();
	}

	@Test
	void claimIsAnAcquisitionThatIsNotHeld() {
		publish(new LeaseAcquired(BILL, 1, true), new LeaseAcquired(BILL, 2, false));
		assertThat(this.registry.get("locket.lease.acquisitions")
			.tags("kind", "claim", "outcome", "acquired")
			.counter()
			.count()).isOne();
		assertThat(this.registry.get("locket.lease.acquisitions")
			.tags("kind", "key", "outcome", "acquired")
			.counter()
			.count()).isOne();
		assertThat(held("billing.bill")).isOne();
	}

	@Test
	void holdTimesAreRecordedOnRelease() {
		publish(new LeaseAcquired(BILL, 1, false), new LeaseReleased(BILL, 1, Duration.ofSeconds(2)));
		Timer timer = this.registry.get("locket.lease.hold").tag("job", "billing.bill").timer();
		assertThat(timer.count()).isOne();
		assertThat(timer.totalTime(TimeUnit.SECONDS)).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	void lostLeasesAreCountedByCause(LeaseLossCause cause) {
		publish(new LeaseAcquired(BILL, 1, false), new LeaseLost(BILL, 1, cause));
		assertThat(this.registry.get("locket.lease.lost")
			.tag("job", "billing.bill")
			.tag("cause", cause.name().toLowerCase(Locale.ROOT))
			.counter()
			.count()).isOne();
	}

	@Test
	void whatMayGoWrongWithAJobBeginsAtZeroInEveryRegistry() {
		publish(new LeaseAcquired(BILL, 1, false));
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.metrics.bindTo(second);
		for (SimpleMeterRegistry bound : List.of(this.registry, second)) {
			assertThat(bound.get("locket.lease.lost").tag("job", "billing.bill").counters())
				.hasSize(LeaseLossCause.values().length)
				.allMatch((counter) -> counter.count() == 0);
			assertThat(bound.get("locket.lease.forced").tag("job", "billing.bill").counter().count()).isZero();
		}
		assertThat(acquisitions("billing.bill", "unavailable")).isZero();
	}

	@Test
	void forcedLeasesAreCountedAndStayWithTheirHoldersUntilTheseKnow() {
		publish(new LeaseAcquired(BILL, 1, false), new LeaseForced(BILL, LeaseHolder.foreign()));
		assertThat(this.registry.get("locket.lease.forced")
			.tags("job", "billing.bill", "kind", "foreign")
			.counter()
			.count()).isOne();
		assertThat(held("billing.bill")).isOne();
	}

	@Test
	void heldLeasesOfNamesBeyondTheBoundAreCountedTogether() {
		for (int i = 0; i < TagValues.MAX_VALUES + 3; i++) {
			publish(new LeaseAcquired(job(i), i, false));
		}
		assertThat(held("(other)")).isEqualTo(3);
		publish(new LeaseReleased(job(0), 0, Duration.ZERO),
				new LeaseReleased(job(TagValues.MAX_VALUES), 0, Duration.ZERO));
		assertThat(held("(other)")).isEqualTo(2);
		assertThat(held("job-0")).isZero();
	}

	@Test
	void beatsAreTimedAndTheirFailuresCounted() {
		assertThat(this.registry.get("locket.heartbeat.failures").counter().count()).isZero();
		publish(new HeartbeatCompleted(250, 0, Duration.ofMillis(5), Duration.ofMillis(1)),
				new HeartbeatCompleted(250, 3, Duration.ofMillis(7), Duration.ofMillis(20)));
		assertThat(this.registry.get("locket.heartbeat.duration").timer().count()).isEqualTo(2);
		assertThat(this.registry.get("locket.heartbeat.duration").timer().totalTime(TimeUnit.MILLISECONDS))
			.isEqualTo(12);
		assertThat(this.registry.get("locket.heartbeat.delay").timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(21);
		assertThat(this.registry.get("locket.heartbeat.failures").counter().count()).isEqualTo(3);
	}

	@Test
	void eventsBeforeTheFirstRegistryAreRecordedWhenItIsBound() {
		LeaseMetrics unbound = new LeaseMetrics();
		unbound.onEvent(new LeaseAcquired(BILL, 1, false));
		unbound.onEvent(new LeaseAcquired(BILL, 2, false));
		unbound.onEvent(new LeaseReleased(BILL, 1, Duration.ofSeconds(2)));
		unbound.bindTo(this.registry);
		assertThat(acquisitions("billing.bill", "acquired")).isEqualTo(2);
		assertThat(held("billing.bill")).isOne();
		assertThat(this.registry.get("locket.lease.hold").timer().count()).isOne();
	}

	@Test
	void eventsBeforeTheFirstRegistryAreNotRecordedInASecondOne() {
		LeaseMetrics unbound = new LeaseMetrics();
		unbound.onEvent(new LeaseAcquired(BILL, 1, false));
		unbound.bindTo(this.registry);
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		unbound.bindTo(second);
		assertThat(acquisitions("billing.bill", "acquired")).isOne();
		assertThat(second.find("locket.lease.acquisitions").tag("outcome", "acquired").counter()).isNull();
	}

	@Test
	void heldLeasesAreRightWhenMoreHappenedThanIsRemembered() {
		LeaseMetrics unbound = new LeaseMetrics();
		for (int i = 0; i < LeaseMetrics.MAX_EARLY_EVENTS + 10; i++) {
			unbound.onEvent(new LeaseAcquired(BILL, i, false));
		}
		unbound.bindTo(this.registry);
		assertThat(acquisitions("billing.bill", "acquired")).isEqualTo(LeaseMetrics.MAX_EARLY_EVENTS);
		assertThat(held("billing.bill")).isEqualTo(LeaseMetrics.MAX_EARLY_EVENTS + 10);
	}

	@Test
	void everyBoundRegistryIsUpdated() {
		publish(new LeaseAcquired(BILL, 1, false));
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.metrics.bindTo(second);
		publish(new LeaseAcquired(BILL, 2, false), new LeaseAcquired(MAIL, 3, false));
		assertThat(held("billing.bill")).isEqualTo(2);
		assertThat(second.get("locket.lease.held").tag("job", "billing.bill").gauge().value()).isEqualTo(2);
		assertThat(second.get("locket.lease.held").tag("job", "mail.send").gauge().value()).isOne();
		assertThat(second.get("locket.lease.acquisitions")
			.tags("job", "billing.bill", "outcome", "acquired")
			.counter()
			.count()).isOne();
	}

	@Test
	void registryThatOutlivesAContextHasTheValuesOfTheNextOne() {
		publish(new LeaseAcquired(BILL, 1, false));
		this.metrics.close();
		publish(new LeaseReleased(BILL, 1, Duration.ofSeconds(2)), new LeaseAcquired(MAIL, 2, false));
		assertThat(this.registry.find("locket.lease.held").gauges()).isEmpty();
		LeaseMetrics next = new LeaseMetrics();
		next.bindTo(this.registry);
		next.onEvent(new LeaseAcquired(BILL, 3, false));
		next.onEvent(new LeaseAcquired(BILL, 4, false));
		assertThat(held("billing.bill")).isEqualTo(2);
		assertThat(acquisitions("billing.bill", "acquired")).isEqualTo(3);
		next.close();
		assertThat(this.registry.find("locket.lease.held").gauges()).isEmpty();
	}

	@Test
	void registryThatIsBoundAfterTheEndGetsCountersAndNoGauges() {
		publish(new LeaseAcquired(BILL, 1, false));
		this.metrics.close();
		SimpleMeterRegistry late = new SimpleMeterRegistry();
		this.metrics.bindTo(late);
		publish(new LeaseAcquired(MAIL, 2, false));
		assertThat(late.find("locket.lease.held").gauges()).isEmpty();
		assertThat(late.get("locket.lease.acquisitions").tag("job", "mail.send").counters()).isNotEmpty();
	}

	private static JobKey job(int number) {
		return new JobKey("job-" + number, "d" + number, "[]");
	}

	private void publish(JobEvent... events) {
		List.of(events).forEach(this.metrics::onEvent);
	}

	private double acquisitions(String job, String outcome) {
		return this.registry.get("locket.lease.acquisitions").tag("job", job).tag("outcome", outcome).counter().count();
	}

	private double held(String job) {
		return this.registry.get("locket.lease.held").tag("job", job).gauge().value();
	}

}
