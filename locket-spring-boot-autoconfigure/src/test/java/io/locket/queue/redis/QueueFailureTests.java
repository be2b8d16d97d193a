package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.EnqueueUnavailable;
import io.locket.event.JobEnded;
import io.locket.event.JobRetried;
import io.locket.event.JobStarted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.UpdateAction;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for a queue whose Redis loses data, is full, hangs or restarts.
 */
class QueueFailureTests {

	private static RedisServer server;

	private QueueFixture fixture;

	private RedisJobQueue queue;

	private RedisJobStore store;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void create() {
		this.fixture = QueueFixture.create(server, RedisServer.newNamespace(), Duration.ofSeconds(2));
		this.queue = this.fixture.queue;
		this.store = this.fixture.store;
	}

	@AfterEach
	void close() {
		server.resume();
		this.fixture.close();
	}

	@Test
	void scriptsThatRedisDoesNotKnowAreSentAgain() {
		flushScripts();
		this.queue.enqueue(job("a"));
		flushScripts();
		Reservation reservation = this.fixture.reserve(1, "default");
		assertThat(reservation.jobs()).hasSize(1);
		flushScripts();
		assertThat(renew(reservation.jobs().get(0)).running()).isTrue();
		flushScripts();
		assertThat(succeed(reservation.jobs().get(0))).isEqualTo(new EndResult("a", true, JobState.SUCCEEDED));
		this.queue.enqueue(job("b"));
		flushScripts();
		assertThat(this.store.cancel("b")).isEqualTo(CancelResult.CANCELLED);
		flushScripts();
		this.store.pause("default");
		flushScripts();
		this.store.resume("default");
		this.queue.enqueue(job("c"));
		flushScripts();
		assertThat(this.store.overview().queues()).hasSize(1);
		flushScripts();
		assertThat(this.store.remove("default")).isOne();
		flushScripts();
		assertThat(this.store.workers()).hasSize(1);
		flushScripts();
		assertThat(this.store.verify()).isEmpty();
	}

	@Test
	void errorReplyOfRedisIsNoMissingReply() {
		this.queue.enqueue(job("a"));
		this.fixture.redis.delete(this.fixture.name("state"));
		this.fixture.redis.opsForValue().set(this.fixture.name("state"), "not a hash");
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.store.counts("default"))
			.withMessageContaining("Redis refused to: count default")
			.withMessageContaining("WRONGTYPE");
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.queue.enqueue(job("b")))
			.withMessageContaining("Redis refused to: enqueue 1 job(s)");
	}

	@Test
	void eachJobOfAnEnqueueThatFailsIsPublished() {
		this.fixture.redis.opsForValue().set(this.fixture.name("jobs"), "not a hash");
		List<NewJob> jobs = IntStream.range(0, 150).mapToObj((i) -> job("u" + i)).toList();
		QueueUnavailableException failure = catchThrowableOfType(QueueUnavailableException.class,
				() -> this.queue.enqueue(jobs));
		assertThat(failure).hasMessageContaining("enqueue 100 job(s)");
		assertThat(this.fixture.events).containsExactlyElementsOf(jobs.subList(0, 100)
			.stream()
			.map((job) -> new EnqueueUnavailable(job.id(), "job", "default", failure.getMessage()))
			.toList());
	}

	@Test
	void connectionsAreLeftOnceHoweverOftenAQueueIsClosed() {
		AtomicInteger closed = new AtomicInteger();
		RedisConnectionFactory factory = this.fixture.redis.getRequiredConnectionFactory();
		RedisConnections connections = new RedisConnections(factory, factory, Duration.ofSeconds(2),
				closed::incrementAndGet);
		RedisJobQueue closedTwice = new RedisJobQueue(connections, LeaseKeys.of("closed"),
				new QueueSettings(Duration.ofSeconds(2), 3, Duration.ofHours(1), 1000, Duration.ofDays(30), 10_000),
				new JobEventPublisher(List.of()));
		RedisJobStore alsoClosedTwice = new RedisJobStore(connections, LeaseKeys.of("closed"),
				new JobEventPublisher(List.of()));
		QueueExtension extension = new QueueExtension(connections, LeaseKeys.of("closed"),
				new JobEventPublisher(List.of()));
		closedTwice.close();
		closedTwice.close();
		extension.close();
		extension.close();
		alsoClosedTwice.close();
		alsoClosedTwice.close();
		assertThat(closed).hasValue(0);
		connections.close();
		assertThat(closed).hasValue(1);
	}

	private static void flushScripts() {
		server.execute("SCRIPT", "FLUSH");
	}

	@Test
	void runsAreNotifiedOfTheLossOfAllDataAndTheQueueContinues() {
		this.queue.enqueue(List.of(job("a"), job("b")));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		server.execute("FLUSHALL");
		assertThat(renew(run)).isEqualTo(new RunRenewal(false, null, false));
		assertThat(succeed(run)).isEqualTo(new EndResult("a", false, null));
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		assertThat(this.queue.enqueue(job("a"))).isEqualTo(new EnqueueResult.Accepted("a"));
		ReservedJob next = this.fixture.reserve(1, "default").jobs().get(0);
		assertThat(next.fence()).isGreaterThan(run.fence());
		assertThat(succeed(next).counted()).isTrue();
		assertThat(this.store.verify()).isEmpty();
	}

	@Test
	void fleetGoesOnWhenAllDataIsLostUnderLoad() throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		Set<String> refused = ConcurrentHashMap.newKeySet();
		ExecutorService fleet = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> members = new ArrayList<>();
			for (int poller = 0; poller < 2; poller++) {
				String name = "poller" + poller;
				members.add(fleet.submit(() -> work(name, over, refused)));
				members.add(fleet.submit(() -> produce(name, over)));
			}
			for (int i = 0; i < 20; i++) {
				Awaitility.await().until(() -> this.store.counts("default").in(JobState.SUCCEEDED) > 20);
				server.execute("FLUSHALL");
			}
			Awaitility.await().until(() -> this.store.counts("default").in(JobState.SUCCEEDED) > 20);
			over.set(true);
			for (Future<?> member : members) {
				member.get(20, TimeUnit.SECONDS);
			}
		}
		finally {
			over.set(true);
			fleet.shutdownNow();
		}
		assertThat(refused).isNotEmpty();
		assertThat(this.store.verify()).isEmpty();
	}

	private void produce(String name, AtomicBoolean over) {
		for (int i = 0; !over.get(); i++) {
			int first = i * 5;
			this.queue.enqueue(IntStream.range(first, first + 5)
				.mapToObj((number) -> QueueFixture.job(name + "-" + number, LockStrategy.UNTIL_AND_WHILE_EXECUTING,
						number % 7))
				.toList());
		}
	}

	private void work(String poller, AtomicBoolean over, Set<String> refused) {
		List<ReservedJob> jobs = this.queue.reserve(QueueFixture.request(poller, 4, "default")).jobs();
		while (!over.get() || !jobs.isEmpty()) {
			jobs.stream().filter((job) -> !renew(job).running()).map((job) -> job.record().id()).forEach(refused::add);
			ReservationRequest request = over.get() ? null : QueueFixture.request(poller, 4, "default");
			Settlement settlement = this.queue.settle(jobs.stream().map(RunEnd::succeeded).toList(), request);
			settlement.ends().stream().filter((end) -> !end.counted()).map(EndResult::id).forEach(refused::add);
			jobs = (settlement.next() != null) ? settlement.next().jobs() : List.of();
		}
	}

	@Test
	void fullRedisTakesNoJobsAndLetsThoseThatItHasEnd() {
		try (RedisServer full = RedisServer.start();
				QueueFixture there = QueueFixture.create(full, RedisServer.newNamespace(), Duration.ofSeconds(2))) {
			there.queue.enqueue(List.of(job("a"), job("b"), QueueFixture.job("c", LockStrategy.NONE),
					QueueFixture.job("d", LockStrategy.WHILE_EXECUTING, "a"),
					QueueWork.with(job("later"), DuplicateStrategy.REJECT, Duration.ofHours(1))));
			there.queue.enqueue(QueueFixture.job("letter", "dead", LockStrategy.UNTIL_EXECUTED, "letter"));
			ReservedJob letter = there.reserve(1, "dead").jobs().get(0);
			there.queue.settle(List.of(RunEnd.dead(letter, "it broke")), null);
			ReservedJob first = there.reserve(1, "default").jobs().get(0);
			full.execute("CONFIG", "SET", "maxmemory", "1");
			assertRefused(() -> there.queue.enqueue(List.of(job("e"), job("f"))));
			// One that replaces begins by removing.
			assertRefused(() -> there.queue.enqueue(List.of(job("e"),
					QueueWork.with(job("g", "later"), DuplicateStrategy.REPLACE, Duration.ofHours(2)))));
			assertThat(there.store.find("e")).isEmpty();
			assertRefused(() -> there.store.requeue(List.of(new RequeuedJob("letter", "again"))));
			assertThat(there.store.find("again")).isEmpty();
			assertThat(there.store.find("letter").orElseThrow().requeuedAs()).isNull();
			assertThat(there.store.update(new UpdateAction(UpdateAction.Kind.MOVE, "other", "step"),
					List.of(ExpectedJob.of("later"))))
				.containsExactly(UpdateResult.DONE);
			// It stays in its lists, so nothing is removed.
			assertThat(there.store.update(
					new UpdateAction(UpdateAction.Kind.RESCHEDULE, null, Instant.now().plusSeconds(7200), "step2"),
					List.of(ExpectedJob.of("later"))))
				.containsExactly(UpdateResult.DONE);
			assertThat(there.store.verify()).isEmpty();

			assertThat(renew(there.queue, first).running()).isTrue();
			List<ReservedJob> others = there.reserve(3, "default").jobs();
			assertThat(others).extracting((job) -> job.record().id()).containsExactly("b", "c");
			for (ReservedJob job : others) {
				assertThat(renew(there.queue, job).running()).isTrue();
			}
			there.store.pause("default");
			assertThat(there.store.cancel("c")).isEqualTo(CancelResult.FLAGGED);
			assertThat(renew(there.queue, others.get(1)).cancelled()).isTrue();
			assertThat(succeed(there.queue, others.get(1)).counted()).isTrue();
			EndResult retried = there.queue
				.settle(List.of(RunEnd.retry(others.get(0), Duration.ofMinutes(1), "it broke")), null)
				.ends()
				.get(0);
			assertThat(retried.state()).isEqualTo(JobState.RETRY);
			there.store.resume("default");
			List<ReservedJob> parked = there.queue
				.settle(List.of(RunEnd.succeeded(first)), QueueFixture.request(1, "default"))
				.next()
				.jobs();
			assertThat(parked).singleElement().extracting((job) -> job.record().id()).isEqualTo("d");
			assertThat(there.store.cancel("later")).isEqualTo(CancelResult.CANCELLED);
			assertThat(there.reserve(1, "default").jobs()).isEmpty();
			assertThat(succeed(there.queue, parked.get(0)).counted()).isTrue();
			assertThat(there.store.verify()).isEmpty();

			full.execute("CONFIG", "SET", "maxmemory", "0");
			assertThat(there.queue.enqueue(job("e"))).isEqualTo(new EnqueueResult.Accepted("e"));
			assertThat(there.store.verify()).isEmpty();
		}
	}

	private static void assertRefused(ThrowingCallable call) {
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(call)
			.withMessageStartingWith("Redis is full (OOM")
			.withMessageContaining("more memory");
	}

	@Test
	void runsAreNotifiedOfARestartWithoutDataAndTheQueueContinues() {
		this.queue.enqueue(job("a"));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		server.restart();
		assertThat(withReply(() -> renew(run)).running()).isFalse();
		assertThat(succeed(run)).isEqualTo(new EndResult("a", false, null));
		assertThat(this.queue.enqueue(job("a"))).isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(succeed(this.fixture.reserve(1, "default").jobs().get(0)).counted()).isTrue();
		assertThat(this.store.verify()).isEmpty();
	}

	private static <T> T withReply(Callable<T> call) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(15))
			.ignoreException(QueueUnavailableException.class)
			.until(call, (reply) -> true);
	}

	@Test
	void callsWithoutAReplyAreRepeatedAndHaveTheirFirstResult() {
		try (QueueFixture hasty = QueueFixture.create(server, this.fixture.leaseKeys.namespace(),
				Duration.ofMillis(300))) {
			// Redis must have each script before it freezes, because a call by an unknown
			// digest does nothing.
			withReply(() -> hasty.queue.enqueue(QueueFixture.job("first", "other", LockStrategy.NONE)));
			ReservedJob first = hasty.reserve(1, "other").jobs().get(0);
			renew(hasty.queue, first);
			succeed(hasty.queue, first);
			hasty.store.cancel("first");
			List<NewJob> jobs = List.of(job("a"), job("b"), QueueFixture.job("c", LockStrategy.NONE));
			assertThat(withoutReply(() -> hasty.queue.enqueue(jobs))).containsExactly(new EnqueueResult.Accepted("a"),
					new EnqueueResult.Accepted("b"), new EnqueueResult.Accepted("c"));
			ReservationRequest request = QueueFixture.request(2, "default");
			List<ReservedJob> taken = withoutReply(() -> hasty.queue.reserve(request)).jobs();
			assertThat(taken).extracting((job) -> job.record().id()).containsExactly("a", "b");
			List<RunToken> runs = taken.stream().map((job) -> new RunToken(job.record().id(), job.token())).toList();
			assertThat(withoutReply(() -> hasty.queue.renew(runs))).allMatch(RunRenewal::running);
			List<RunEnd> ends = List.of(RunEnd.succeeded(taken.get(0)),
					RunEnd.retry(taken.get(1), Duration.ZERO, "it broke"));
			ReservationRequest next = QueueFixture.request(1, "default");
			Settlement settlement = withoutReply(() -> hasty.queue.settle(ends, next));
			assertThat(settlement.ends()).containsExactly(new EndResult("a", true, JobState.SUCCEEDED),
					new EndResult("b", true, JobState.RETRY));
			assertThat(settlement.next().jobs()).singleElement().extracting((job) -> job.record().id()).isEqualTo("c");
			assertThat(hasty.events.stream().filter(JobEnded.class::isInstance).map(Object::toString))
				.filteredOn((event) -> event.contains("id=a,"))
				.hasSize(1);
			assertThat(hasty.events).filteredOn(JobRetried.class::isInstance).hasSize(1);
			assertThat(hasty.events.stream().filter(JobStarted.class::isInstance)).hasSize(4);
			assertThat(withoutReply(() -> hasty.store.cancel("b"))).isEqualTo(CancelResult.CANCELLED);
			assertThat(this.store.counts("default").accepted()).isEqualTo(3);
			assertThat(this.store.counts("default").in(JobState.SUCCEEDED)).isOne();
			assertThat(this.store.counts("default").in(JobState.CANCELLED)).isOne();
			assertThat(this.store.verify()).isEmpty();
		}
	}

	/**
	 * Makes a call twice: while Redis stands still, and after it goes on and has served
	 * the first one.
	 */
	private static <T> T withoutReply(Supplier<T> call) {
		server.freeze();
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(call::get);
		server.resume();
		return call.get();
	}

	private static NewJob job(String id) {
		return job(id, id);
	}

	private static NewJob job(String id, String key) {
		return QueueFixture.job(id, LockStrategy.UNTIL_EXECUTED, key);
	}

	private EndResult succeed(ReservedJob job) {
		return succeed(this.queue, job);
	}

	private static EndResult succeed(JobQueue queue, ReservedJob job) {
		return queue.settle(List.of(RunEnd.succeeded(job)), null).ends().get(0);
	}

	private RunRenewal renew(ReservedJob job) {
		return renew(this.queue, job);
	}

	private static RunRenewal renew(JobQueue queue, ReservedJob job) {
		return queue.renew(List.of(new RunToken(job.record().id(), job.token()))).get(0);
	}

}
