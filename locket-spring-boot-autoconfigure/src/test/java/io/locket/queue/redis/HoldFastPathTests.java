package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import io.locket.redis.ChannelSubscription;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.listener.PatternTopic;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the fast paths that end runs with a minimum hold. They store the same as the
 * general script.
 */
class HoldFastPathTests {

	private static final Duration HOLD = Duration.ofSeconds(9);

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	@AfterEach
	void close() {
		this.pair.close();
	}

	private static NewJob job(String id, Object key) {
		return job(id, LockStrategy.WHILE_EXECUTING, HOLD, key);
	}

	private static NewJob job(String id, LockStrategy lock, Duration hold, Object key) {
		return QueueFixture.job(id, lock, key).copy().holdAtLeast(hold).build();
	}

	private List<ReservedJob> start(NewJob... jobs) {
		this.pair.enqueue(jobs);
		return this.pair.reserve(jobs.length, "default", "other").jobs();
	}

	private Settlement end(List<ReservedJob> runs, ReservationRequest next) {
		Settlement settlement = settle(runs.stream().map(RunEnd::succeeded).toList(), next);
		assertThat(settlement.ends()).extracting(EndResult::state).containsOnly(JobState.SUCCEEDED);
		return settlement;
	}

	/**
	 * Ends runs by the fast paths and by the general script, and compares the results,
	 * the events and all that is stored.
	 */
	private Settlement settle(List<RunEnd> ends, ReservationRequest next) {
		Settlement settlement = this.pair.fast.queue.settle(ends, next);
		Settlement general = this.pair.general.queue.settle(ends, next);
		assertThat(settlement.ends()).isEqualTo(general.ends());
		assertThat(ids(settlement)).isEqualTo(ids(general));
		assertThat(this.pair.fast.events).containsExactlyInAnyOrderElementsOf(this.pair.general.events);
		assertThat(storedExceptRecords(this.fixture)).isEqualTo(storedExceptRecords(this.pair.other));
		assertThat(ends).allSatisfy(
				(end) -> assertThat(this.fixture.store.find(end.id())).isEqualTo(this.pair.other.store.find(end.id())));
		return settlement;
	}

	private static List<String> ids(Settlement settlement) {
		return Objects.requireNonNull(settlement.next()).jobs().stream().map((run) -> run.record().id()).toList();
	}

	/**
	 * Returns what is stored, without the records: a fast path leaves the key lease in
	 * those of jobs that have ended, as {@code layout.lua} describes. The last fencing
	 * token depends on the number of calls.
	 */
	private static Map<String, String> storedExceptRecords(QueueFixture fixture) {
		Map<String, String> stored = QueuePair.stored(fixture);
		stored.remove("jobs");
		stored.remove("fence");
		return stored;
	}

	private String owner(Object key) {
		return this.fixture.redis.opsForValue().get(this.fixture.lock(QueueFixture.key(key)));
	}

	private static ReservationRequest request(int slots) {
		return QueueFixture.request(slots, "default", "other");
	}

	private void assertCanStart(String id) {
		this.fixture.queue.enqueue(job(id, "key"));
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly(id);
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "WHILE_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING" })
	void keyIsHeldForTheRest(LockStrategy lock) {
		List<ReservedJob> runs = start(job("job", lock, HOLD, "key"));
		this.pair.advance(Duration.ofSeconds(4));
		end(runs, request(1));
		assertThat(owner("key")).isEqualTo(runs.get(0).token() + ":rest");
		this.pair.advance(HOLD.minusSeconds(4));
		assertCanStart("next");
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class, names = { "UNTIL_EXECUTING", "UNTIL_EXPIRED", "NONE" })
	void runWithoutAKeyLeaseHoldsNothing(LockStrategy lock) {
		end(start(job("job", lock, HOLD, "key")), request(1));
		assertThat(owner("key")).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 9000, 9001, 20_000 })
	void keyIsFreedIfTheHoldHasPassed(int millis) {
		List<ReservedJob> runs = start(job("job", "key"));
		this.pair.advance(Duration.ofMillis(millis));
		end(runs, request(1));
		assertThat(owner("key")).isNull();
	}

	/**
	 * Checks that the ends of successful and failed runs wake those that wait for the end
	 * of the lease. Both kinds of scripts publish the key.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void keyThatIsHeldForTheRestIsPublished(boolean succeeds) throws Exception {
		for (QueueFixture each : List.of(this.pair.fast, this.pair.general)) {
			QueueFixture owner = (each == this.pair.fast) ? this.fixture : this.pair.other;
			CountDownLatch subscribed = new CountDownLatch(1);
			CountDownLatch published = new CountDownLatch(1);
			try (ChannelSubscription subscription = new ChannelSubscription(owner.connectionFactory,
					new PatternTopic(owner.leaseKeys.channels()), (message) -> published.countDown(),
					subscribed::countDown)) {
				subscription.start();
				assertThat(subscribed.await(10, TimeUnit.SECONDS)).isTrue();
				owner.queue.enqueue(List.of(job("a", 1)));
				ReservedJob run = each.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
				each.queue.settle(
						List.of(succeeds ? RunEnd.succeeded(run) : RunEnd.retry(run, Duration.ofHours(1), "error")),
						null);
				assertThat(published.await(10, TimeUnit.SECONDS)).isTrue();
			}
		}
	}

	/**
	 * The clock of Redis has run back, in a fail-over. The general scripts record the
	 * first poll after that.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SUCCEEDED", "RETRY", "DEAD" })
	void restIsNoLongerThanTheHold(RunEnd.Kind kind) {
		ReservedJob run = start(job("job", "key")).get(0);
		this.pair.advance(Duration.ofMinutes(-10));
		ReservationRequest poll = request(1);
		this.pair.both((each) -> each.queue.reserve(poll));
		String error = (kind == RunEnd.Kind.SUCCEEDED) ? null : "it broke";
		settle(List.of(new RunEnd("job", run.token(), kind, Duration.ofHours(1), error)), request(1));
		assertThat(owner("key")).isEqualTo(run.token() + ":rest");
		this.pair.advance(HOLD);
		assertCanStart("next");
	}

	@Test
	void runsOfSeveralQueuesAndHoldsAreEndedByOneCall() {
		List<ReservedJob> runs = start(job("one", 1), job("two", LockStrategy.WHILE_EXECUTING, Duration.ZERO, 2),
				job("three", LockStrategy.UNTIL_EXECUTED, Duration.ofSeconds(2), 3), job("four", 4),
				QueueFixture.job("five", "other", LockStrategy.WHILE_EXECUTING, 5).copy().holdAtLeast(HOLD).build(),
				QueueFixture.job("six", "other", LockStrategy.WHILE_EXECUTING, 6));
		this.pair.advance(Duration.ofSeconds(3));
		this.pair.enqueue(job("next", 7));
		assertThat(ids(end(runs, request(2)))).containsExactly("next");
		assertThat(Stream.of(1, 2, 3, 4, 5, 6).filter((key) -> owner(key) != null)).containsExactly(1, 4, 5);
	}

	/**
	 * The key is contended, so {@code handover.lua} serves the call.
	 */
	@Test
	void jobThatWaitsForTheKeyStaysParkedForTheRest() {
		List<ReservedJob> runs = start(job("first", "key"));
		park("second");
		this.pair.enqueue(QueueFixture.job("free", LockStrategy.WHILE_EXECUTING, "free"));
		this.pair.advance(Duration.ofSeconds(4));
		Settlement settlement = end(runs, request(2));
		assertThat(ids(settlement)).containsExactly("free");
		assertThat(Objects.requireNonNull(settlement.next()).next()).isEqualTo(HOLD.minusSeconds(4));
		assertThat(this.fixture.store.find("second").orElseThrow().state()).isEqualTo(JobState.PARKED);
		this.pair.advance(HOLD.minusSeconds(4));
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("second");
	}

	private void park(String id) {
		this.pair.enqueue(job(id, "key"));
		this.pair.both((each) -> assertThat(each.queue.reserve(request(1)).jobs()).isEmpty());
		assertThat(this.fixture.store.find(id).orElseThrow().state()).isEqualTo(JobState.PARKED);
	}

	/**
	 * A job is parked by the call that ends the run which holds its key.
	 */
	@Test
	void jobIsParkedByTheCallThatEndsTheRun() {
		List<ReservedJob> runs = start(job("first", "key"));
		this.pair.enqueue(job("second", "key"), job("third", "other"));
		this.pair.advance(Duration.ofSeconds(4));
		Settlement settlement = end(runs, request(2));
		assertThat(ids(settlement)).containsExactly("third");
		assertThat(this.fixture.store.find("second").orElseThrow().state()).isEqualTo(JobState.PARKED);
	}

	@Test
	void keyOfARunWithoutAHoldIsHandedOverBesideOneWithAHold() {
		List<ReservedJob> runs = start(job("first", "key"),
				job("other", LockStrategy.WHILE_EXECUTING, Duration.ZERO, "other"));
		park("second");
		this.pair.enqueue(job("follower", "other"));
		Settlement settlement = end(runs, request(2));
		assertThat(ids(settlement)).containsExactly("follower");
	}

	@Test
	void keyIsHeldInAFullRedis() {
		try (RedisServer server = RedisServer.start()) {
			String namespace = RedisServer.newNamespace();
			try (QueueFixture all = QueueFixture.create(server, namespace);
					QueueFixture fastOnly = QueueFixture.createSilent(server, namespace,
							FastPathScripts.of(QueueScripts.load()))) {
				all.queue.enqueue(List.of(job("job", "key")));
				ReservedJob run = fastOnly.reserve(1, "default").jobs().get(0);
				server.execute("CONFIG", "SET", "maxmemory", "1");
				fastOnly.queue.settle(List.of(RunEnd.succeeded(run)), request(1));
				assertThat(all.redis.opsForValue().get(all.lock(QueueFixture.key("key"))))
					.isEqualTo(run.token() + ":rest");
				assertThat(all.redis.getExpire(all.lock(QueueFixture.key("key")), TimeUnit.MILLISECONDS)).isBetween(1L,
						HOLD.toMillis());
				assertThat(all.store.verify()).isEmpty();
			}
		}
	}

	/**
	 * The reply to the first call is lost.
	 */
	@Test
	void repeatedCallDoesNotProlongTheHold() {
		List<ReservedJob> runs = start(job("job", "key"));
		this.pair.advance(Duration.ofSeconds(4));
		ReservationRequest next = request(1);
		Settlement first = end(runs, next);
		this.pair.advance(Duration.ofSeconds(3));
		assertThat(this.fixture.queue.settle(List.of(RunEnd.succeeded(runs.get(0))), next)).isEqualTo(first);
		this.fixture.advance(HOLD.minusSeconds(7));
		assertCanStart("next");
	}

}
