package io.locket.lease.heartbeat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.LeaseEvent;
import io.locket.event.LeaseLost;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import io.locket.lease.heartbeat.RunRenewer.Result;
import io.locket.lease.redis.RedisLease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RunLease} and {@link RunLeases}, with manual time.
 */
class RunLeaseTests {

	private static final Result RENEWED = new Result(true, null, false);

	private final ManualScheduler time = new ManualScheduler();

	private final List<JobEvent> events = new ArrayList<>();

	private final JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));

	private final LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(10), this.time, this.time,
			Runnable::run, this.publisher, this.time::nanoTime);

	private final AtomicInteger ended = new AtomicInteger();

	private final List<Integer> directCalls = new ArrayList<>();

	private final LiveLease.Context direct = new LiveLease.Context(this.heartbeat, this.publisher,
			LossExecutors.of(Runnable::run), this.time::nanoTime, new LeaseClosing(this.ended::incrementAndGet),
			(leases) -> {
				this.directCalls.add(leases.size());
				return leases.stream().map((lease) -> Renewal.RENEWED).toList();
			});

	private final List<Integer> runCalls = new ArrayList<>();

	private Result result = RENEWED;

	private boolean unreachable;

	private final RunLeases leases = new RunLeases(this.direct, (runs) -> {
		this.runCalls.add(runs.size());
		if (this.unreachable) {
			throw new IllegalStateException("no reply");
		}
		return runs.stream().map((run) -> this.result).toList();
	}, this.time);

	private int lost;

	@Test
	void runIsRenewedUntilItIsClosed() {
		RunLease lease = begin();
		this.time.advance(Duration.ofSeconds(40));
		assertThat(this.runCalls).containsExactly(1, 1, 1, 1);
		assertThat(lease.isHeld()).isTrue();
		lease.close();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.runCalls).hasSize(4);
		assertThat(this.heartbeat.size()).isZero();
		assertThat(this.lost).isZero();
	}

	@Test
	void runsAndDirectLeasesBeatTogetherEachWithTheirStore() {
		for (int i = 0; i < 150; i++) {
			begin();
		}
		this.heartbeat.add(new RedisLease(key(), Duration.ofSeconds(35), Instant.EPOCH, 1, 0, this.direct, "token",
				Duration.ZERO, mock()));
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.runCalls).containsExactly(100, 50);
		assertThat(this.directCalls).containsExactly(1);
		assertThat(beats()).containsExactly(new HeartbeatCompleted(151, 0, Duration.ZERO, Duration.ZERO));
	}

	@Test
	void storeOfRunsThatFailsHoldsUpNoDirectLease() {
		begin();
		this.heartbeat.add(new RedisLease(key(), Duration.ofSeconds(35), Instant.EPOCH, 1, 0, this.direct, "token",
				Duration.ZERO, mock()));
		this.unreachable = true;
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.directCalls).containsExactly(1);
		assertThat(beats()).extracting(HeartbeatCompleted::failures).containsExactly(1);
	}

	@Test
	void runThatWasGivenAwayIsLost() {
		RunLease lease = begin();
		this.result = new Result(false, null, false);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.lost).isEqualTo(1);
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.GONE);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.runCalls).hasSize(1);
	}

	@Test
	void runLeaseIsRenewedUntilTheEndWhenOnlyTheKeyLeaseIsLost() {
		RunLease lease = begin();
		this.result = new Result(true, LeaseLossCause.TAKEN, false);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.lost).isEqualTo(1);
		assertThat(lease.isHeld()).isFalse();
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.TAKEN);
		this.time.advance(Duration.ofSeconds(60));
		assertThat(this.runCalls).hasSize(7);
		assertThat(this.lost).isEqualTo(1);
		assertThat(this.events).filteredOn(LeaseLost.class::isInstance).hasSize(1);
		lease.close();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.runCalls).hasSize(7);
		assertThat(this.time.size()).isZero();
	}

	@Test
	void runIsRenewedNoMoreWhenItsDeadlineHasPassedAfterTheLossOfTheKey() {
		begin();
		this.result = new Result(true, LeaseLossCause.GONE, false);
		this.time.advance(Duration.ofSeconds(10));
		this.unreachable = true;
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.heartbeat.size()).isZero();
		assertThat(this.lost).isEqualTo(1);
		assertThat(this.time.size()).isZero();
	}

	@Test
	void runIsLostAtItsLocalDeadlineWithoutAReply() {
		RunLease lease = begin();
		this.unreachable = true;
		this.time.advance(Duration.ofMillis(31_499));
		assertThat(this.lost).isZero();
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.lost).isEqualTo(1);
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.UNREACHABLE);
	}

	@Test
	void heartbeatReportsACancellation() {
		RunLease lease = begin();
		this.result = new Result(true, null, true);
		assertThat(lease.isCancelled()).isFalse();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(lease.isCancelled()).isTrue();
		assertThat(lease.isHeld()).isTrue();
		this.result = RENEWED;
		this.time.advance(Duration.ofSeconds(10));
		assertThat(lease.isCancelled()).isTrue();
	}

	@Test
	void runWhoseReplyCameTooLateDoesNotBegin() {
		long sentAt = this.time.nanoTime();
		this.time.advance(Duration.ofMillis(31_500));
		assertThat(this.leases.begin(grant(sentAt))).isEmpty();
		assertThat(this.heartbeat.size()).isZero();
		assertThat(this.events).isEmpty();
	}

	@Test
	void deadlineCountsFromTheFirstSending() {
		long sentAt = this.time.nanoTime();
		this.time.advance(Duration.ofSeconds(30));
		RunLease lease = this.leases.begin(grant(sentAt)).orElseThrow();
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(1_500));
	}

	@Test
	void eventsOfRunsAreBalanced() {
		begin().close();
		RunLease lost = begin();
		this.result = new Result(false, null, false);
		this.time.advance(Duration.ofSeconds(10));
		lost.close();
		assertThat(this.events).filteredOn((event) -> !(event instanceof HeartbeatCompleted))
			.extracting((event) -> event.getClass().getSimpleName())
			.containsExactly("LeaseAcquired", "LeaseReleased", "LeaseAcquired", "LeaseLost");
	}

	@Test
	void runThatOutlivesItsContextIsKeptAlive() {
		RunLease lease = begin();
		this.leases.close();
		this.time.advance(Duration.ofMinutes(5));
		assertThat(lease.isHeld()).isTrue();
		assertThat(this.ended).hasValue(0);
		lease.close();
		await().untilAtomic(this.ended, is(1));
	}

	@Test
	void threadsEndWithTheirLastUser() {
		LeaseThreads threads = LeaseThreads.create();
		LeaseHeartbeat shared = new LeaseHeartbeat(Duration.ofSeconds(10), threads.heartbeat(), threads.watch(),
				threads.notifier(), this.publisher, System::nanoTime);
		threads.retain();
		RunLeases own = new RunLeases((runs) -> List.of(), shared, threads, this.publisher, System::nanoTime,
				this.ended::incrementAndGet);
		RunLease lease = own.begin(grant(System.nanoTime())).orElseThrow();
		threads.release();
		own.close();
		assertThat(threads.heartbeat().isShutdown()).isFalse();
		lease.close();
		await().untilAtomic(this.ended, is(1));
		assertThat(threads.heartbeat().isShutdown()).isTrue();
		assertThat(threads.reports().isShutdown()).isTrue();
	}

	private List<HeartbeatCompleted> beats() {
		return this.events.stream()
			.filter(HeartbeatCompleted.class::isInstance)
			.map(HeartbeatCompleted.class::cast)
			.toList();
	}

	@Test
	void runWithoutAKeyLeasePublishesNoLeaseButItsLoss() {
		RunLease ended = beginWithoutKeyLease();
		ended.close();
		assertThat(this.events).filteredOn(LeaseEvent.class::isInstance).isEmpty();
		RunLease run = beginWithoutKeyLease();
		this.result = new Result(false, null, false);
		this.time.advance(Duration.ofSeconds(11));
		assertThat(run.lossCause()).isEqualTo(LeaseLossCause.GONE);
		run.close();
		assertThat(this.events).filteredOn(LeaseEvent.class::isInstance)
			.containsExactly(new LeaseLost(key(), 0, LeaseLossCause.GONE, LeaseKind.RUN));
	}

	@Test
	void runWhoseRenewalCannotBeScheduledHoldsNothingUp() {
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::begin);
		this.leases.close();
		assertThat(this.ended).hasValue(1);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.runCalls).isEmpty();
	}

	private RunLease beginWithoutKeyLease() {
		return this.leases
			.begin(new RunLeases.Grant("id", "token", key(), 0, false, Instant.EPOCH, Duration.ofSeconds(35),
					this.time.nanoTime(), false))
			.orElseThrow();
	}

	private RunLease begin() {
		RunLease lease = this.leases.begin(grant(this.time.nanoTime())).orElseThrow();
		lease.onLost(() -> this.lost++);
		return lease;
	}

	private static RunLeases.Grant grant(long sentAt) {
		return new RunLeases.Grant("id", "token", key(), 7, true, Instant.EPOCH, Duration.ofSeconds(35), sentAt, false);
	}

	private static JobKey key() {
		return new JobKey("job", "digest", "[]");
	}

}
