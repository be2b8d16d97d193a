package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.UpdateAction;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.redis.RedisScheduleStore;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that a queue and leases do for an application, once, in a namespace that has
 * no jobs in its queues.
 */
final class QueueWork implements AutoCloseable {

	private final QueueFixture fixture;

	private final RedisJobQueue queue;

	private final RedisJobStore store;

	private final LeaseService leases;

	private final BlockingQueue<Optional<String>> news = new LinkedBlockingQueue<>();

	private final JobQueue.Listening listening;

	QueueWork(QueueFixture fixture, LeaseService leases) {
		this.fixture = fixture;
		this.queue = fixture.queue;
		this.store = fixture.store;
		this.leases = leases;
		this.listening = this.queue.listen((name) -> this.news.add(Optional.ofNullable(name)));
	}

	/**
	 * Do everything, once the process has subscribed since it last did.
	 */
	void run() throws InterruptedException {
		hear(Optional.empty());
		enqueue();
		park();
		fail();
		cancel();
		administer();
		leaseBeside();
		schedules();
		remove();
		assertThat(this.store.verify()).isEmpty();
		repair();
		this.news.clear();
	}

	private void enqueue() throws InterruptedException {
		NewJob one = QueueFixture.job(QueueFixture.newId(), "one", LockStrategy.UNTIL_EXECUTED, "one");
		assertThat(this.queue.enqueue(one)).isEqualTo(new EnqueueResult.Accepted(one.id()));
		hear(Optional.of("one"));
		NewJob other = QueueFixture.job(QueueFixture.newId(), "one", LockStrategy.UNTIL_EXECUTED, "one");
		assertThat(this.queue.enqueue(other)).isEqualTo(new EnqueueResult.Duplicate(one.id(), JobState.READY));
		assertThat(this.queue.enqueue(with(other, DuplicateStrategy.REPLACE, Duration.ZERO)))
			.isEqualTo(new EnqueueResult.Replaced(one.id()));
		NewJob claim = QueueFixture.job(QueueFixture.newId(), "one", LockStrategy.UNTIL_EXPIRED, one.id());
		List<NewJob> many = new ArrayList<>(IntStream.range(0, 250)
			.mapToObj((i) -> QueueFixture.job(QueueFixture.newId(), "many", LockStrategy.UNTIL_AND_WHILE_EXECUTING, i))
			.toList());
		many.add(claim);
		assertThat(this.queue.enqueue(many)).hasSize(251).allMatch(EnqueueResult.Accepted.class::isInstance);
		Reservation reservation = this.fixture.reserve(8, "one", "many");
		assertThat(reservation.jobs()).hasSize(8);
		int done = 0;
		while (!reservation.jobs().isEmpty()) {
			List<RunEnd> ends = reservation.jobs().stream().map(RunEnd::succeeded).toList();
			Settlement settlement = this.queue.settle(ends, QueueFixture.request(64, "one", "many"));
			assertThat(settlement.ends()).allMatch((end) -> end.counted());
			done += ends.size();
			reservation = settlement.next();
		}
		assertThat(done).isEqualTo(252);
		assertThat(this.store.find(one.id()).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(this.store.queues()).contains("one", "many");
		assertThat(this.store.overview().queues()).extracting((queue) -> queue.counts().queue())
			.contains("one", "many");
		assertThat(this.store.workers()).isNotEmpty();
	}

	private void park() {
		enqueue("park", LockStrategy.WHILE_EXECUTING, "a", "parked");
		enqueue("park", LockStrategy.WHILE_EXECUTING, "b", "parked");
		List<ReservedJob> first = this.fixture.reserve(2, "park").jobs();
		assertThat(first).hasSize(1);
		assertThat(this.store.counts("park").in(JobState.PARKED)).isOne();
		ReservedJob run = first.get(0);
		assertThat(this.queue.renew(List.of(new RunToken(run.record().id(), run.token()))).get(0).running()).isTrue();
		List<ReservedJob> next = this.queue.settle(List.of(RunEnd.succeeded(run)), QueueFixture.request(2, "park"))
			.next()
			.jobs();
		assertThat(next).hasSize(1);
		settle(RunEnd.returned(next.get(0)));
		settle(RunEnd.succeeded(take("park")));
	}

	private void fail() {
		enqueue("fail", LockStrategy.UNTIL_EXECUTING, "c", "fails");
		settle(RunEnd.retry(take("fail"), Duration.ZERO, "it broke"));
		settle(RunEnd.defer(take("fail"), Duration.ZERO, "not here"));
		settle(RunEnd.dead(take("fail"), "it broke for good"));
		assertThat(this.store.counts("fail").in(JobState.DEAD)).isPositive();
	}

	private void administer() {
		String first = enqueue("look", LockStrategy.UNTIL_EXECUTED, "l1-", "look", 1);
		String second = enqueue("look", LockStrategy.UNTIL_EXECUTED, "l2-", "look", 2);
		assertThat(this.store.blocker(QueueFixture.key("look", 2), true).orElseThrow().position()).isOne();
		JobQuery listing = new JobQuery(JobState.READY, "look", null, null, 1, null);
		String cursor = this.store.list(listing).cursor();
		assertThat(update(UpdateAction.Kind.MOVE, "die", first)).isEqualTo(UpdateResult.DONE);
		assertThat(this.store.list(new JobQuery(JobState.READY, "look", null, null, 1, cursor)).jobs()).singleElement()
			.extracting(JobRecord::id)
			.isEqualTo(second);
		ReservedJob run = take("die");
		assertThat(this.store.list(new JobQuery(JobState.RUNNING, "die", null, null, 1, null)).jobs()).hasSize(1);
		settle(RunEnd.dead(run, "it broke"));
		String again = QueueFixture.newId();
		assertThat(this.store.requeue(List.of(new RequeuedJob(first, again))))
			.containsExactly(new EnqueueResult.Accepted(again));
		settle(RunEnd.dead(take("die"), "it broke"));
		assertThat(update(UpdateAction.Kind.DISMISS, null, again)).isEqualTo(UpdateResult.DONE);
		assertThat(this.store.list(new JobQuery(JobState.DEAD, "die", null, null, 1000, null)).jobs()).isEmpty();
		settle(RunEnd.retry(take("look"), Duration.ofMinutes(5), "it broke"));
		assertThat(update(UpdateAction.Kind.RUN_NOW, null, second)).isEqualTo(UpdateResult.DONE);
		settle(RunEnd.succeeded(take("look")));
	}

	private UpdateResult update(UpdateAction.Kind kind, @Nullable String queue, String id) {
		return this.store.update(new UpdateAction(kind, queue, QueueFixture.newId()), List.of(ExpectedJob.of(id)))
			.get(0);
	}

	private void cancel() {
		String waiting = enqueue("cancel", LockStrategy.UNTIL_EXECUTED, "d", "waits");
		assertThat(this.store.cancel(waiting)).isEqualTo(CancelResult.CANCELLED);
		String running = enqueue("cancel", LockStrategy.UNTIL_EXECUTED, "e", "runs");
		ReservedJob run = take("cancel");
		assertThat(this.store.cancel(running)).isEqualTo(CancelResult.FLAGGED);
		assertThat(this.queue.renew(List.of(new RunToken(running, run.token()))).get(0).cancelled()).isTrue();
		settle(RunEnd.succeeded(run));
	}

	/**
	 * A direct call has the key of a queued job, and then the other way round.
	 */
	private void leaseBeside() throws InterruptedException {
		JobKey key = QueueFixture.key("shared");
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(key)).orElseThrow();
		enqueue("beside", LockStrategy.WHILE_EXECUTING, "f", "shared");
		hear(Optional.of("beside"));
		assertThat(this.fixture.reserve(1, "beside").jobs()).isEmpty();
		assertThat(this.store.counts("beside").in(JobState.PARKED)).isOne();
		this.news.clear();
		lease.close();
		assertThat(this.news.poll(5, TimeUnit.SECONDS)).as("told of the release").isNotNull();
		ReservedJob run = take("beside");
		assertThat(this.leases.tryAcquire(LeaseRequest.of(key).waiting(Duration.ofMillis(300)))).isEmpty();
		assertThat(this.leases.held(10)).hasSize(1);
		settle(RunEnd.succeeded(run));
		this.leases.tryAcquire(LeaseRequest.of(key)).orElseThrow().close();
	}

	private void schedules() {
		try (QueueExtension extension = this.fixture.extension();
				Lease leader = this.leases.tryAcquire("leader").orElseThrow()) {
			RedisScheduleStore schedules = new RedisScheduleStore(extension);
			ScheduleDefinition definition = new ScheduleDefinition("work", "group", "job", "[]", null, null,
					Duration.ofSeconds(1), ZoneOffset.UTC, Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT);
			schedules.replaceAll("group", List.of(definition));
			StoredSchedule stored = schedules.load().schedules().get(0);
			long revision = schedules.revision();
			assertThat(stored.revision()).isEqualTo(revision);
			Awaitility.await().until(() -> schedules.load().time().isAfter(stored.firesAfter()));
			Instant time = schedules.load().time();
			Firing firing = new Firing("work", revision, time, time.plusSeconds(100), null,
					QueueFixture.job(Firing.id("work", time), LockStrategy.NONE));
			assertThat(schedules.fire(LeaseProof.of(leader), Duration.ofSeconds(35), List.of(firing)).results())
				.singleElement()
				.isInstanceOf(FiringResult.Fired.class);
			assertThat(leader.renew()).isTrue();
			assertThat(schedules.pause("work")).isTrue();
			assertThat(schedules.remove("work")).isTrue();
			assertThat(this.store.cancel(firing.job().id())).isEqualTo(CancelResult.CANCELLED);
		}
	}

	private void remove() {
		this.store.pause("remove");
		enqueue("remove", LockStrategy.NONE, "g");
		NewJob later = with(QueueFixture.job(QueueFixture.newId(), "remove", LockStrategy.UNTIL_EXECUTED, "later"),
				DuplicateStrategy.REJECT, Duration.ofMinutes(5));
		this.queue.enqueue(later);
		assertThat(this.fixture.reserve(1, "remove").jobs()).isEmpty();
		this.store.resume("remove");
		assertThat(this.store.remove("remove")).isEqualTo(2);
		assertThat(this.fixture.reserve(1, "remove").jobs()).isEmpty();
	}

	private void repair() {
		String id = enqueue("repair", LockStrategy.UNTIL_EXECUTED, "h", "repaired");
		this.fixture.redis.opsForHash().delete(this.fixture.name("tickets"), QueueFixture.key("repaired").digest());
		assertThat(this.store.repair()).singleElement().matches((violation) -> violation.repaired());
		assertThat(this.store.verify()).isEmpty();
		assertThat(this.store.cancel(id)).isEqualTo(CancelResult.CANCELLED);
	}

	private String enqueue(String queue, LockStrategy lock, String prefix, Object... key) {
		String id = prefix + QueueFixture.newId();
		assertThat(this.queue.enqueue(QueueFixture.job(id, queue, lock, key)))
			.isEqualTo(new EnqueueResult.Accepted(id));
		return id;
	}

	private ReservedJob take(String queue) {
		List<ReservedJob> jobs = this.fixture.reserve(1, queue).jobs();
		assertThat(jobs).as("jobs of " + queue).hasSize(1);
		return jobs.get(0);
	}

	private void settle(RunEnd end) {
		assertThat(this.queue.settle(List.of(end), null).ends().get(0).counted()).isTrue();
	}

	private void hear(Optional<String> expected) throws InterruptedException {
		Optional<String> heard;
		do {
			heard = this.news.poll(5, TimeUnit.SECONDS);
			assertThat(heard).as("news of " + expected).isNotNull();
		}
		while (!expected.equals(heard));
	}

	@Override
	public void close() {
		this.listening.close();
	}

	static NewJob with(NewJob job, DuplicateStrategy onDuplicate, Duration delay) {
		return job.copy()
			.onDuplicate(onDuplicate)
			.onConflict(ConflictStrategy.PARK)
			.start(delay.isZero() ? NewJob.Start.NOW : NewJob.Start.in(delay))
			.build();
	}

}
