package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobEnded;
import io.locket.event.JobEventListener;
import io.locket.event.JobPromoted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.Lease;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import io.locket.redis.RedisConnections;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.TestSchedule;
import io.locket.schedule.redis.RedisScheduleStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the number of jobs that the removal of a queue returns. A removal goes on
 * until nothing is left, so a defect may make it endless, and it ignores interrupts.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemovalTests {

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	/**
	 * Workers that find removed jobs between two steps end them.
	 */
	@Test
	void jobsThatOthersEndBetweenTheStepsAreCounted() {
		enqueue("job", 250);
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		AtomicReference<Runnable> betweenSteps = new AtomicReference<>(() -> {
			this.fixture.reserve(1, "default");
			this.fixture.queue.settle(List.of(RunEnd.returned(run)), null);
		});
		try (RedisJobStore store = store((event) -> {
			if (event instanceof JobEnded) {
				betweenSteps.get().run();
			}
		})) {
			assertThat(store.remove("default")).isEqualTo(249);
		}
		assertThat(this.fixture.store.counts("default").in(JobState.REMOVED)).isEqualTo(250);
	}

	/**
	 * Checks a firing that finds a parked job between two steps. Its key has become free
	 * without a notification.
	 */
	@Test
	void firingThatEndsARemovedJobPromotesTheNextOneOfItsKey() {
		JobKey key = QueueFixture.key("k");
		this.fixture.takeForeign(key, Duration.ofMinutes(5));
		this.fixture.queue.enqueue(List.of(QueueFixture.job("removed", "gone", LockStrategy.UNTIL_EXECUTED, "k"),
				QueueFixture.job("next", "other", LockStrategy.WHILE_EXECUTING, "k")));
		assertThat(this.fixture.reserveIds(2, "gone", "other")).isEmpty();
		assertThat(state("next")).isEqualTo(JobState.PARKED);
		this.fixture.releaseForeign(key);
		this.fixture.count("gone", (counters) -> counters.with("removed_at", this.fixture.now()));
		fire(LockStrategy.UNTIL_EXECUTED, "k");
		assertThat(state("removed")).isEqualTo(JobState.REMOVED);
		assertThat(state("next")).isEqualTo(JobState.READY);
		assertThat(this.fixture.events).contains(new JobPromoted("next", "job", "other"));
		this.fixture.store.remove("gone");
	}

	private void fire(LockStrategy lock, String key) {
		try (QueueExtension extension = this.fixture.extension();
				RedisLeaseService leases = this.fixture.leases();
				Lease leader = leases.tryAcquire("leader").orElseThrow()) {
			RedisScheduleStore schedules = new RedisScheduleStore(extension);
			schedules.put(List.of(TestSchedule.persistent("schedule")), null);
			this.fixture.advance(Duration.ofSeconds(1));
			Instant time = schedules.load().time();
			NewJob job = QueueFixture.job(Firing.id("schedule", time), lock, key);
			Firing firing = new Firing("schedule", schedules.load().schedules().get(0).revision(), time,
					time.plusSeconds(1), null, job);
			assertThat(schedules.fire(LeaseProof.of(leader), Duration.ofSeconds(35), List.of(firing)).results())
				.containsExactly(new FiringResult.Fired(new EnqueueResult.Accepted(job.id())));
		}
	}

	private JobState state(String id) {
		return this.fixture.store.find(id).orElseThrow().state();
	}

	/**
	 * Checks a job that the steps of the removal have not reached yet.
	 */
	@ParameterizedTest
	@EnumSource(value = UpdateAction.Kind.class, names = { "MOVE", "RUN_NOW", "RESCHEDULE" })
	void updateEndsAJobOfARemovedQueue(UpdateAction.Kind kind) {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, "k"));
		this.fixture.count("default", (counters) -> counters.with("removed_at", this.fixture.now()));
		UpdateAction action = new UpdateAction(kind, (kind == UpdateAction.Kind.MOVE) ? "other" : null,
				(kind == UpdateAction.Kind.RESCHEDULE) ? Instant.ofEpochMilli(this.fixture.now() + 1000) : null,
				"step");
		assertThat(this.fixture.store.update(action, List.of(ExpectedJob.of("a"))))
			.containsExactly(UpdateResult.REFUSED);
		assertThat(state("a")).isEqualTo(JobState.REMOVED);
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("b", "other", LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("b"));
		this.fixture.store.remove("default");
	}

	/**
	 * A run keeps the queue listed, so the fast paths enqueue other jobs there.
	 */
	@ParameterizedTest
	@EnumSource
	void jobThatComesInTheSameMillisecondAfterTheRemovalRuns(Call call) {
		enqueue("running", 1);
		this.fixture.reserve(1, "default");
		this.fixture.store.remove("default");
		this.fixture.queue.enqueue(call.jobs());
		this.fixture.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.reserveIds(2, "default")).hasSize(call.jobs().size());
	}

	@Test
	void jobsThatComeAfterTheRemovalAreNotCounted() {
		enqueue("job", 150);
		AtomicReference<Runnable> betweenSteps = new AtomicReference<>(() -> enqueue("late", 5));
		try (RedisJobStore store = store(
				(event) -> betweenSteps.getAndSet(() -> assertThat(event).isNotNull()).run())) {
			assertThat(store.remove("default")).isEqualTo(150);
		}
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isEqualTo(5);
	}

	/**
	 * Checks many jobs that stay, before and among those of the same due time that are
	 * removed.
	 */
	@Test
	void jobsOfOneDueTimeThatComeAfterTheRemovalStay() {
		Instant due = Instant.parse("2100-01-01T00:00:00Z");
		enqueueAt(due, "b", 250);
		AtomicReference<Runnable> betweenSteps = new AtomicReference<>(() -> {
			enqueueAt(due, "a", 250);
			enqueueAt(due, "b1-", 150);
		});
		try (RedisJobStore store = store(
				(event) -> betweenSteps.getAndSet(() -> assertThat(event).isNotNull()).run())) {
			assertThat(store.remove("default")).isEqualTo(250);
		}
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isEqualTo(400);
		assertThat(this.fixture.store.find("b249")).map(JobRecord::state).contains(JobState.REMOVED);
		assertThat(this.fixture.store.find("b1-149")).map(JobRecord::state).contains(JobState.SCHEDULED);
	}

	/**
	 * A step ends after a megabyte of records, of jobs that are ready and of those that
	 * are due at the same time.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "ready", "scheduled" })
	void stepThatRemovesLargeJobsIsShort(String place) {
		Instant due = Instant.parse("2100-01-01T00:00:00Z");
		NewJob.Start start = place.equals("ready") ? NewJob.Start.NOW : NewJob.Start.at(due);
		this.fixture.queue.enqueue(IntStream.range(0, 45)
			.mapToObj((i) -> QueueFixture.job("j" + i, LockStrategy.UNTIL_EXPIRED, i)
				.copy()
				.arguments("[\"" + "x".repeat(100_000) + "\"]")
				.start(start)
				.build())
			.toList());
		assertThat((Long) step("7", place).get(1)).isBetween(10L, 20L);
		assertThat(this.fixture.store.remove("default")).isBetween(25L, 35L);
		assertThat(this.fixture.store.counts("default").in(JobState.REMOVED)).isEqualTo(45);
	}

	@Test
	void queueThatIsNotKnownHasNoJobs() {
		assertThat(this.fixture.store.remove("unknown")).isZero();
		assertThat(this.fixture.store.queues()).doesNotContain("unknown");
	}

	@Test
	void repeatedFirstStepCountsNoJobTwiceAndBeginsNoOtherRemoval() {
		enqueue("job", 150);
		assertThat(step("7", "ready").get(1)).isEqualTo(100L);
		enqueue("late", 5);
		assertThat(step("7", "ready").get(1)).isEqualTo(150L);
		assertThat(step("7", "ready").get(1)).isEqualTo(150L);
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isEqualTo(5);
		assertThat(step("8", "ready")).containsExactly("", "7");
		assertThat(step("8", "ready", "7").get(1)).isEqualTo(5L);
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isZero();
	}

	@Test
	void firstStepThatIsDeliveredAfterALaterRemovalRemovesNothing() {
		enqueue("job", 1);
		assertThat(step("7", "ready").get(1)).isEqualTo(1L);
		enqueue("again", 1);
		assertThat(this.fixture.store.remove("default")).isOne();
		enqueue("late", 5);
		assertThat(step("7", "ready").get(0)).isEqualTo("");
		assertThat(this.fixture.reserve(5, "default").jobs()).hasSize(5);
	}

	@Test
	void removalThatGoesOnBesideALaterOneIsNotTheLastOne() {
		enqueue("job", 150);
		Object begun = step("7", "ready").get(0);
		step("8", "ready", "7");
		continued("7", begun.toString());
		enqueue("late", 5);
		assertThat(step("8", "ready", "7").get(0)).isEqualTo(step("8", "ready", "7").get(0));
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isEqualTo(5);
	}

	@Test
	void workersOfARemovedQueueKeepTheFastPathOfTheirOtherQueues() {
		enqueue("job", 1);
		this.fixture.store.remove("default");
		NewJob job = QueueFixture.job("other", LockStrategy.NONE).copy().queue("other").build();
		this.fixture.queue.enqueue(List.of(job));
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			assertThat(fast.reserveIds(1, "default", "other")).containsExactly("other");
		}
		enqueue("again", 1);
		assertThat(this.fixture.reserveIds(1, "default", "other")).containsExactly("again0");
	}

	/**
	 * The process that removes the queue has ended after its first step.
	 */
	@Test
	void jobBehindParkedJobsOfAnInterruptedRemovalFollowsSoon() {
		JobKey key = QueueFixture.key(1);
		this.fixture.takeForeign(key, Duration.ofSeconds(10));
		park("job", 500);
		step("7", "scheduled");
		this.fixture.advance(Duration.ofMillis(1));
		park("late", 1);
		this.fixture.releaseForeign(key);
		this.fixture.advance(Duration.ofSeconds(2));
		Reservation reservation;
		int calls = 0;
		do {
			reservation = this.fixture.reserve(1, "default");
			calls++;
		}
		while (reservation.cutShort() && reservation.jobs().isEmpty());
		assertThat(reservation.jobs()).extracting((job) -> job.record().id()).containsExactly("late0");
		assertThat(calls).isLessThanOrEqualTo(20);
		assertThat(this.fixture.store.counts("default").in(JobState.REMOVED)).isEqualTo(500);
	}

	private void park(String prefix, int count) {
		this.fixture.queue.enqueue(IntStream.range(0, count)
			.mapToObj((i) -> QueueFixture.job(prefix + i, LockStrategy.WHILE_EXECUTING, 1))
			.toList());
		while (this.fixture.reserve(1, "default").cutShort()) {
			continue;
		}
	}

	private void continued(String id, String begun) {
		commands().run("remove", QueueScript.REMOVE, List.of("default", begun, "ready", "-inf", id, "100", "0"));
	}

	private QueueCommands commands() {
		return new QueueCommands(connections(), this.fixture.leaseKeys, QueueFixture.manualScripts());
	}

	private List<Object> step(String id, String place) {
		return step(id, place, "0");
	}

	private List<Object> step(String id, String place, String last) {
		return commands().run("remove", QueueScript.REMOVE, List.of("default", "", place, "-inf", id, "0", last));
	}

	private void enqueue(String prefix, int count) {
		List<NewJob> jobs = IntStream.range(0, count)
			.mapToObj((i) -> QueueFixture.job(prefix + i, LockStrategy.NONE))
			.toList();
		this.fixture.queue.enqueue(jobs);
	}

	private void enqueueAt(Instant due, String prefix, int count) {
		this.fixture.queue.enqueue(IntStream.range(0, count)
			.mapToObj((i) -> QueueFixture.job(prefix + i, LockStrategy.NONE).copy().start(NewJob.Start.at(due)).build())
			.toList());
	}

	private RedisJobStore store(JobEventListener listener) {
		try (RedisConnections connections = connections()) {
			return new RedisJobStore(connections, this.fixture.leaseKeys, new JobEventPublisher(List.of(listener)),
					QueueFixture.manualScripts());
		}
	}

	private RedisConnections connections() {
		return new RedisConnections(this.fixture.connectionFactory, this.fixture.connectionFactory,
				Duration.ofSeconds(2), () -> {
				});
	}

	/**
	 * Call that enqueues jobs.
	 */
	private enum Call {

		ONE, LATER, REPLACE, SEVERAL;

		List<NewJob> jobs() {
			NewJob job = QueueFixture.job("new", LockStrategy.UNTIL_EXECUTED, "k");
			return switch (this) {
				case ONE -> List.of(job);
				case LATER -> List.of(job.copy().start(NewJob.Start.in(Duration.ofSeconds(1))).build());
				case REPLACE -> List.of(job.copy().onDuplicate(DuplicateStrategy.REPLACE).build());
				case SEVERAL -> List.of(job, QueueFixture.job("new2", LockStrategy.UNTIL_EXECUTED, "k2"));
			};
		}

	}

}
