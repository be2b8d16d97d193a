package io.locket.queue.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the key leases of queued runs: conflicts, parking, promotion and renewal.
 */
class KeyLeaseTests extends AbstractQueueTests {

	private static final JobKey KEY = TestJob.key("k");

	private static final Duration HOLD = Duration.ofSeconds(10);

	@Test
	void runHoldsItsKey() {
		enqueue("a", "b");
		assertThat(this.user.take().keyLeased()).isTrue();
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.state("b")).isEqualTo(JobState.PARKED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "-", "Own_key-1.0", "-E3MrRD23owiAitO_lCqRg", "_0BI4UyM3sLtth7f53aWcQ",
			"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" })
	void keyMayHaveAnotherDigest(String digest) {
		JobKey key = new JobKey("job", digest, "[1]");
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, key));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, key));
		ReservedJob first = this.user.take();
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.state("b")).isEqualTo(JobState.PARKED);
		this.user.succeed(first);
		assertThat(this.user.take().record().key()).isEqualTo(key);
	}

	@Test
	void otherKeysAreServedAsIfTheLockedOnesWereNotThere() {
		enqueue("a", "b");
		this.user.take();
		this.user.enqueue(locked("c").with(LockStrategy.WHILE_EXECUTING, "other"));
		assertThat(this.user.take().record().id()).isEqualTo("c");
	}

	@Test
	void lockedJobsAreCheckedWithinABoundAndOncePerRelease() {
		enqueue(IntStream.rangeClosed(1, 25).mapToObj((i) -> "j" + i).toArray(String[]::new));
		this.user.enqueue(TestJob.of("free"));
		ReservedJob first = this.user.take();
		int calls = 0;
		Reservation reservation;
		do {
			reservation = this.user.reserve(1, "q");
			calls++;
		}
		while (reservation.cutShort() && reservation.jobs().isEmpty());
		assertThat(calls).isEqualTo(3);
		assertThat(ids(reservation.jobs())).containsExactly("free");
		assertThat(this.store.counts("q").in(JobState.PARKED)).isEqualTo(24);
		this.user.succeed(first);
		assertThat(this.store.counts("q").in(JobState.PARKED)).isEqualTo(23);
		assertThat(this.user.take().record().id()).isEqualTo("j2");
	}

	@ParameterizedTest
	@CsvSource({ "9, false", "10, true", "11, true" })
	void reservationIsCutShortOnceTenLockedJobsWereChecked(int locked, boolean cutShort) {
		enqueue(IntStream.rangeClosed(0, locked).mapToObj((i) -> "j" + i).toArray(String[]::new));
		this.user.take();
		Reservation reservation = this.user.reserve(1, "q");
		assertThat(reservation.jobs()).isEmpty();
		assertThat(reservation.cutShort()).isEqualTo(cutShort);
		assertThat(this.store.counts("q").in(JobState.PARKED)).isEqualTo(Math.min(locked, 10));
	}

	@Test
	void queuesBelowAreServedWhenTheBoundOfOneIsReached() {
		enqueue(IntStream.rangeClosed(1, 25).mapToObj((i) -> "j" + i).toArray(String[]::new));
		this.user.take();
		this.user.enqueue(TestJob.of("low").in("low"));
		Reservation reservation = this.user.reserve(1, "q", "low");
		assertThat(ids(reservation.jobs())).containsExactly("low");
		assertThat(reservation.cutShort()).isTrue();
	}

	@Test
	void endPromotesTheFirstParkedJobOfEachQueue() {
		this.user.enqueue(locked("a"));
		ReservedJob holder = this.user.take();
		for (String queue : List.of("q", "low")) {
			this.user.enqueue(locked(queue + "1").in(queue));
			this.user.enqueue(locked(queue + "2").in(queue));
			this.user.reserve(1, queue);
		}
		this.user.succeed(holder);
		assertThat(this.user.state("q1")).isEqualTo(JobState.READY);
		assertThat(this.user.state("low1")).isEqualTo(JobState.READY);
		assertThat(this.user.state("q2")).isEqualTo(JobState.PARKED);
		assertThat(this.user.state("low2")).isEqualTo(JobState.PARKED);
	}

	@Test
	void endPromotesNoJobInAQueueWhoseLastPromotedJobIsStillReady() {
		enqueue("a", "b", "c");
		this.user.enqueue(locked("x").in("low"));
		ReservedJob holder = this.user.take();
		this.user.reserve(1, "q");
		this.user.succeed(holder);
		ReservedJob other = this.user.take("low");
		this.user.succeed(other);
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
		assertThat(this.user.state("c")).isEqualTo(JobState.PARKED);
	}

	@Test
	void jobThatParksBeforeOneThatWasPromotedIsPromotedFirst() {
		enqueue("a", "b");
		ReservedJob a = this.user.take();
		this.user.reserve(1, "q");
		this.user.end(RunEnd.returned(a));
		this.harness.takeForeign(KEY, HOLD);
		this.user.enqueue(TestJob.of("c"));
		assertThat(this.user.take().record().id()).isEqualTo("c");
		this.user.advance(HOLD.plusMillis(1));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void promotedJobComesBackToItsOldPlace() {
		enqueue("a", "b");
		ReservedJob holder = this.user.take();
		this.user.reserve(1, "q");
		this.user.enqueue(TestJob.of("c"));
		this.user.succeed(holder);
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("b", "c");
	}

	@Test
	void nextParkedJobFollowsWhenThePromotedOneIsCancelled() {
		enqueue("a", "b", "c");
		ReservedJob holder = this.user.take();
		this.user.reserve(1, "q");
		this.user.succeed(holder);
		this.store.cancel("b");
		assertThat(this.user.take().record().id()).isEqualTo("c");
	}

	@Test
	void nextParkedJobFollowsWhenThePromotedOneEndsWithItsWorker() {
		for (String id : List.of("a", "b", "c")) {
			this.user.enqueue(locked(id).leaseFor(Duration.ofSeconds(6)));
		}
		ReservedJob holder = this.user.take();
		this.user.reserve(1, "q");
		this.user.succeed(holder);
		assertThat(this.user.take().record().id()).isEqualTo("b");
		this.store.cancel("b");
		this.user.advance(Duration.ofSeconds(7));
		assertThat(this.user.take().record().id()).isEqualTo("c");
	}

	@Test
	void nextParkedJobFollowsWhenARunThatLostItsKeyEnds() {
		enqueue("a", "b");
		ReservedJob holder = this.user.take();
		this.user.reserve(1, "q");
		this.store.cancel("a");
		this.harness.releaseForeign(KEY);
		assertThat(this.user.succeed(holder).counted()).isFalse();
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void promotedJobOfAPausedQueueDelaysNoOtherJob() {
		this.user.enqueue(locked("a"));
		ReservedJob holder = this.user.take();
		this.user.enqueue(locked("paused").in("paused"));
		this.user.enqueue(locked("b"));
		this.user.reserve(1, "paused", "q");
		this.store.pause("paused");
		this.user.succeed(holder);
		assertThat(this.user.take("paused", "q").record().id()).isEqualTo("b");
		assertThat(this.user.state("paused")).isEqualTo(JobState.READY);
	}

	/**
	 * A release makes the first jobs of sixteen queues ready. The second worker checks
	 * the key while it is held again.
	 */
	@Test
	void keyThatIsParkedInManyQueuesIsTakenByEachOfThem() {
		List<String> queues = IntStream.range(0, 20).mapToObj((i) -> "q%02d".formatted(i)).toList();
		this.harness.takeForeign(KEY, HOLD);
		queues.forEach((queue) -> this.queue
			.enqueue(IntStream.range(0, 20).mapToObj((i) -> locked(queue + "-" + i).in(queue).build()).toList()));
		while (this.user.reserve(1, queues.toArray(String[]::new)).cutShort()) {
			continue;
		}
		this.harness.releaseForeign(KEY);
		this.user.advance(Duration.ofMillis(1001));
		List<QueueLimit> limits = new ArrayList<>(queues.stream().map((queue) -> new QueueLimit(queue, 0)).toList());
		ReservedJob run = this.queue.reserve(this.user.request("one", 1, limits)).jobs().get(0);
		Set<String> taken = new HashSet<>(Set.of(run.record().queue()));
		for (int end = 0; end < 60; end++) {
			Collections.rotate(limits, 7);
			assertThat(this.queue.reserve(this.user.request("two", 1, limits)).jobs()).isEmpty();
			run = this.queue.settle(List.of(RunEnd.succeeded(run)), this.user.request("one", 1, limits))
				.next()
				.jobs()
				.get(0);
			taken.add(run.record().queue());
		}
		assertThat(taken).hasSize(20);
	}

	@Test
	void keyIsLeftToAnOlderJobOfAQueueOfAnotherWorker() {
		this.user.enqueue(locked("first"));
		ReservedJob run = this.user.take();
		this.user.enqueue(locked("older").in("other"));
		assertThat(reserve("other", "other").jobs()).isEmpty();
		this.user.advance(Duration.ofMillis(1));
		enqueue(IntStream.rangeClosed(1, 50).mapToObj((i) -> "j" + i).toArray(String[]::new));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		Reservation next = succeed(run, 1, "q");
		assertThat(next.jobs()).isEmpty();
		assertThat(next.cutShort()).isFalse();
		assertThat(next.idle()).isEmpty();
		assertThat(ids(reserve("other", "other").jobs())).containsExactly("older");
	}

	@Test
	void keyIsFreeAfterARunWhenTheClockWasSetBackMeanwhile() {
		this.user.enqueue(locked("a"));
		ReservedJob run = this.user.take();
		this.user.advance(Duration.ofHours(-1));
		this.user.succeed(run);
		this.user.enqueue(locked("b"));
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void restOfAMinimumHoldIsNotLongerThanTheHoldWhenTheClockWasSetBack() {
		Duration hold = Duration.ofSeconds(10);
		this.user.enqueue(locked("a").holdAtLeast(hold));
		ReservedJob run = this.user.take();
		this.user.advance(Duration.ofHours(-1));
		this.user.succeed(run);
		this.user.enqueue(locked("b"));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.advance(hold);
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	/**
	 * A worker with one thread does not request jobs while it runs one. So the next job
	 * of the key is ready, and was not parked.
	 */
	@Test
	void workerIsNotifiedOfAReadyJobThatLeavesItsKeyToAnOlderJob() {
		this.user.enqueue(locked("first"));
		ReservedJob run = this.user.take();
		this.user.enqueue(locked("older").in("other"));
		this.user.reserve(1, "other");
		this.user.advance(Duration.ofMillis(1));
		enqueue("j1");
		Set<String> notified = ConcurrentHashMap.newKeySet();
		try (JobQueue.Listening listening = this.queue.listen((queue) -> notified.add(String.valueOf(queue)))) {
			assertThat(listening).isNotNull();
			AtomicInteger probes = new AtomicInteger();
			Awaitility.await().until(() -> {
				String probe = "probe" + probes.incrementAndGet();
				this.user.enqueue(TestJob.of(probe).in(probe));
				return notified.stream().anyMatch((queue) -> queue.startsWith("probe"));
			});
			notified.clear();
			assertThat(succeed(run, 1, "q").jobs()).isEmpty();
			Awaitility.await().until(() -> notified.containsAll(Set.of("other", "q")));
		}
		assertThat(ids(this.user.reserve(1, "q").jobs())).containsExactly("j1");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void keyIsLeftToAnOlderJobWhateverElseOfItEndsInTheCall(boolean staleFirst) {
		ReservedJob run = parkInTwoQueues();
		RunEnd stale = new RunEnd("j1", "run:j1:gone", RunEnd.Kind.SUCCEEDED, Duration.ZERO, null);
		RunEnd end = RunEnd.succeeded(run);
		Reservation next = this.queue
			.settle(staleFirst ? List.of(stale, end) : List.of(end, stale), this.user.request(1, "q"))
			.next();
		assertThat(next.jobs()).isEmpty();
	}

	@Test
	void keyIsLeftToAnOlderJobForOneCall() {
		ReservedJob run = parkInTwoQueues();
		assertThat(succeed(run, 1, "q").jobs()).isEmpty();
		run = this.user.take();
		assertThat(run.record().id()).isEqualTo("j1");
		assertThat(ids(succeed(run, 1, "q").jobs())).containsExactly("j2");
		assertThat(this.user.state("older")).isEqualTo(JobState.READY);
	}

	@Test
	void olderJobThatFindsItsKeyHeldIsLeftTheKeyAgain() {
		ReservedJob run = parkInTwoQueues();
		assertThat(succeed(run, 1, "q").jobs()).isEmpty();
		run = this.user.take();
		assertThat(reserve("other", "other").jobs()).isEmpty();
		assertThat(succeed(run, 1, "q").jobs()).isEmpty();
		assertThat(ids(reserve("other", "other").jobs())).containsExactly("older");
	}

	@Test
	void keyIsNotLeftToAnOlderJobOfAPausedQueue() {
		ReservedJob run = parkInTwoQueues();
		this.store.pause("other");
		assertThat(ids(succeed(run, 1, "q").jobs())).containsExactly("j1");
	}

	@Test
	void keyIsNotLeftToAYoungerJob() {
		this.user.enqueue(locked("a"));
		this.user.enqueue(locked("b"));
		ReservedJob run = this.user.take();
		this.user.reserve(1, "q");
		this.user.advance(Duration.ofMillis(1));
		this.user.enqueue(locked("younger").in("other"));
		this.user.reserve(1, "other");
		assertThat(ids(succeed(run, 1, "q").jobs())).containsExactly("b");
	}

	@Test
	void requestForBothQueuesTakesTheFirstJobOfTheFirstQueue() {
		ReservedJob run = parkInTwoQueues();
		assertThat(ids(succeed(run, 1, "q", "other").jobs())).containsExactly("j1");
	}

	@Test
	void jobOfAnotherKeyIsTakenWhileAKeyIsLeftToAnOlderJob() {
		ReservedJob run = parkInTwoQueues();
		this.user.enqueue(TestJob.of("free"));
		Reservation next = succeed(run, 2, "q");
		assertThat(ids(next.jobs())).containsExactly("free");
		assertThat(next.idle()).isEmpty();
	}

	/**
	 * Starts a job, and parks a job of another queue on its key before two of its own
	 * queue.
	 */
	private ReservedJob parkInTwoQueues() {
		this.user.enqueue(locked("first"));
		ReservedJob run = this.user.take();
		this.user.enqueue(locked("older").in("other"));
		this.user.reserve(1, "other");
		this.user.advance(Duration.ofMillis(1));
		enqueue("j1", "j2");
		this.user.reserve(1, "q");
		return run;
	}

	private Reservation succeed(ReservedJob run, int slots, String... queues) {
		return this.queue.settle(List.of(RunEnd.succeeded(run)), this.user.request(slots, queues)).next();
	}

	private Reservation reserve(String poller, String queue) {
		return this.queue.reserve(this.user.request(poller, 1, List.of(new QueueLimit(queue, 0))));
	}

	@Test
	void foreignLockIsAConflictWithoutAHolder() {
		this.harness.takeForeign(KEY, HOLD);
		this.user.enqueue(locked("a").onConflict(ConflictStrategy.RAISE));
		ReservedJob job = this.user.take();
		assertThat(job.keyLeased()).isFalse();
		assertThat(job.conflict().isForeign()).isTrue();
		assertThat(job.conflictFor()).isPositive().isLessThanOrEqualTo(HOLD);
	}

	@Test
	void conflictNamesTheRunThatHoldsTheKey() {
		enqueue("a");
		ReservedJob holder = this.user.take();
		this.user.enqueue(locked("b").onConflict(ConflictStrategy.RAISE));
		ReservedJob job = this.user.take();
		assertThat(job.conflict().instance()).isEqualTo("host/1/w");
		assertThat(job.conflict().thread()).isEqualTo("thread-w");
		assertThat(job.conflict().fencingToken()).isEqualTo(holder.fence());
		assertThat(this.user.fail(job).state()).isEqualTo(JobState.RETRY);
		assertThat(this.user.succeed(holder).counted()).isTrue();
	}

	@Test
	void repeatedReservationHasTheConflictAgain() {
		this.harness.takeForeign(KEY, HOLD);
		this.user.enqueue(locked("a").onConflict(ConflictStrategy.RAISE));
		ReservationRequest request = this.user.request(1, "q");
		ReservedJob job = this.queue.reserve(request).jobs().get(0);
		this.harness.releaseForeign(KEY);
		ReservedJob again = this.queue.reserve(request).jobs().get(0);
		assertThat(again.token()).isEqualTo(job.token());
		assertThat(again.keyLeased()).isFalse();
		assertThat(again.conflict()).isNotNull();
	}

	@Test
	void repeatedReservationThatWasCutShortContinues() {
		this.harness.takeForeign(KEY, HOLD);
		for (int i = 0; i < 15; i++) {
			this.user.enqueue(TestJob.of("held" + i).with(LockStrategy.WHILE_EXECUTING, "k"));
		}
		this.user.enqueue(TestJob.of("free"));
		ReservationRequest request = this.user.request(1, "q");
		Reservation first = this.queue.reserve(request);
		assertThat(first.jobs()).isEmpty();
		assertThat(first.cutShort()).isTrue();
		assertThat(ids(this.queue.reserve(request).jobs())).containsExactly("free");
		assertThat(ids(this.queue.reserve(request).jobs())).containsExactly("free");
	}

	@Test
	void parkedJobIsReadyWhenAForeignLockExpires() {
		this.harness.takeForeign(KEY, HOLD);
		enqueue("a");
		this.user.reserve(1, "q");
		this.user.advance(HOLD.plusMillis(1));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void parkedJobIsReadyWithinASecondWhenAForeignLockIsReleased() {
		this.harness.takeForeign(KEY, Duration.ofHours(1));
		enqueue("a");
		Reservation reservation = this.user.reserve(1, "q");
		assertThat(reservation.next()).isNotNull();
		this.harness.releaseForeign(KEY);
		this.user.advance(Duration.ofMillis(1001));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void discardedJobFreesItsTicket() {
		this.harness.takeForeign(KEY, HOLD);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, KEY).onConflict(ConflictStrategy.REJECT));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.state("a")).isEqualTo(JobState.DISCARDED);
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, KEY)))
			.isEqualTo(new EnqueueResult.Accepted("b"));
	}

	@Test
	void rescheduledJobKeepsTicketAndAttempt() {
		this.harness.takeForeign(KEY, Duration.ofSeconds(2));
		this.user
			.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, KEY).onConflict(ConflictStrategy.RESCHEDULE));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, KEY)))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.RETRY));
		this.user.advance(Duration.ofMillis(4999));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.advance(Duration.ofMillis(501));
		assertThat(this.user.take().record().attempt()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void jobWhoseOwnRunHoldsTheKeyParks(ConflictStrategy onConflict) {
		this.user.enqueue(locked("a").holdAtLeast(HOLD).onConflict(onConflict));
		this.user.end(RunEnd.returned(this.user.take()));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.state("a")).isEqualTo(JobState.PARKED);
		this.user.advance(HOLD.plusMillis(1));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void restOfTheHoldPromotesNoJobBeforeItHasPassed() {
		this.user.enqueue(locked("a").holdAtLeast(HOLD));
		enqueue("b");
		ReservedJob holder = this.user.take();
		this.user.reserve(1, "q");
		this.user.advance(Duration.ofSeconds(4));
		this.user.succeed(holder);
		this.user.advance(Duration.ofMillis(5999));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.state("b")).isEqualTo(JobState.PARKED);
		this.user.advance(Duration.ofMillis(2));
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void keyIsFreeAtOnceWhenTheHoldHasPassed() {
		this.user.enqueue(locked("a").holdAtLeast(HOLD));
		enqueue("b");
		ReservedJob holder = this.user.take();
		this.user.advance(HOLD);
		this.user.succeed(holder);
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void renewalKeepsRunAndKey() {
		enqueue("a", "b");
		ReservedJob job = this.user.take();
		for (int i = 0; i < 5; i++) {
			this.user.advance(TestJob.LEASE.dividedBy(2));
			assertThat(this.user.renew(job)).isEqualTo(new RunRenewal(true, null, false));
			assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		}
		assertThat(this.user.succeed(job).counted()).isTrue();
	}

	@Test
	void renewalReportsThatTheKeyIsGone() {
		enqueue("a");
		ReservedJob job = this.user.take();
		this.harness.releaseForeign(KEY);
		assertThat(this.user.renew(job)).isEqualTo(new RunRenewal(true, LeaseLossCause.GONE, false));
		assertThat(this.user.renew(job)).isEqualTo(new RunRenewal(true, LeaseLossCause.GONE, false));
	}

	@Test
	void renewalReportsThatTheKeyIsTaken() {
		enqueue("a");
		ReservedJob job = this.user.take();
		this.harness.takeForeign(KEY, HOLD);
		assertThat(this.user.renew(job)).isEqualTo(new RunRenewal(true, LeaseLossCause.TAKEN, false));
		this.user.advance(Duration.ofSeconds(20));
		this.user.renew(job);
		this.user.advance(Duration.ofSeconds(20));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.find("a").reclaims()).isZero();
	}

	@Test
	void renewalReportsThatTheRunHasEnded() {
		enqueue("a");
		ReservedJob job = this.user.take();
		this.user.die();
		assertThat(this.user.renew(job)).isEqualTo(new RunRenewal(false, null, false));
		assertThat(this.queue.renew(List.of(new RunToken("nobody", "token"))))
			.containsExactly(new RunRenewal(false, null, false));
	}

	private void enqueue(String... ids) {
		for (String id : ids) {
			this.user.enqueue(locked(id));
		}
	}

	private static TestJob locked(String id) {
		return TestJob.of(id).with(LockStrategy.WHILE_EXECUTING, KEY);
	}

}
