package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueCounts;
import io.locket.queue.TestJob;
import io.locket.queue.Violation;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import io.locket.redis.RedisConnections;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests that {@code verify} finds damage in Redis and changes nothing, and that
 * {@code repair} repairs it.
 */
class QueueCheckTests {

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource
	void damageIsFoundAndRepaired(Damage damage) {
		fill();
		findAndRepair(damage);
	}

	/**
	 * The script does not read large sets itself.
	 */
	@ParameterizedTest
	@EnumSource
	void damageIsFoundInLargeSetsAndRepaired(Damage damage) {
		fill();
		NewJob.Start later = NewJob.Start.in(Duration.ofHours(1));
		this.fixture.queue.enqueue(IntStream.range(0, 300)
			.mapToObj((i) -> job("more" + i, LockStrategy.NONE, (i < 150) ? NewJob.Start.NOW : later))
			.toList());
		findAndRepair(damage);
	}

	private void findAndRepair(Damage damage) {
		assertThat(this.fixture.store.verify()).isEmpty();
		damage.plant.accept(this.fixture, QueueFixture.key("parked").digest());
		List<Violation> found = this.fixture.store.verify();
		assertThat(found).isNotEmpty().noneMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).containsExactlyInAnyOrderElementsOf(found);
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * A job that was set aside, one that is ready, one that is scheduled, one that waits
	 * for a retry, one that runs, one that is parked behind it, one that has ended, a
	 * dead letter, and one that was dismissed.
	 */
	private void fill() {
		enqueue("ended", LockStrategy.NONE, NewJob.Start.NOW);
		ReservedJob ended = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.succeeded(ended)), null);
		this.fixture.queue.enqueue(TestJob.of("retry").named("fresh").in("default").build());
		ReservedJob retry = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.retry(retry, Duration.ofHours(1), "it broke")), null);
		for (String id : List.of("letter", "dismissed")) {
			enqueue(id, LockStrategy.NONE, NewJob.Start.NOW);
			ReservedJob dead = this.fixture.reserve(1, "default").jobs().get(0);
			this.fixture.queue.settle(List.of(RunEnd.dead(dead, "it broke")), null);
		}
		this.fixture.advance(Duration.ofSeconds(1));
		this.fixture.store.update(new UpdateAction(UpdateAction.Kind.DISMISS, null, "step"),
				List.of(ExpectedJob.of("dismissed")));
		this.fixture.queue.enqueue(TestJob.of("aside").named("fresh").in("default").build());
		ReservedJob unknown = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.unknown(unknown, "unknown")), leavingOut());
		enqueue("running", LockStrategy.NONE, NewJob.Start.NOW);
		this.fixture.queue.reserve(leavingOut());
		this.fixture.takeForeign(QueueFixture.key("parked"), Duration.ofHours(1));
		enqueue("parked", LockStrategy.UNTIL_EXECUTED, NewJob.Start.NOW);
		assertThat(this.fixture.queue.reserve(leavingOut()).jobs()).isEmpty();
		enqueue("ready", LockStrategy.UNTIL_EXECUTED, NewJob.Start.NOW);
		enqueue("scheduled", LockStrategy.UNTIL_EXECUTED, NewJob.Start.in(Duration.ofHours(1)));
	}

	private static ReservationRequest leavingOut() {
		ReservationRequest request = QueueFixture.request(1, "default");
		return new ReservationRequest(request.id(), request.poller(), request.instance(), request.thread(),
				request.queues(), request.slots(), Set.of("fresh"));
	}

	private void enqueue(String id, LockStrategy lock, NewJob.Start start) {
		this.fixture.queue.enqueue(job(id, lock, start));
	}

	private static NewJob job(String id, LockStrategy lock, NewJob.Start start) {
		NewJob job = QueueFixture.job(id, lock, id);
		return job.copy()
			.id(id)
			.unique(lock, job.key(), null)
			.start(start)
			.holdAtLeast(Duration.ZERO)
			.retries(3)
			.build();
	}

	/**
	 * A promoted job is ready. It stays listed for its key until it runs.
	 */
	@Test
	void promotedJobThatIsNotListedForItsKeyIsFoundAndListed() {
		JobKey key = QueueFixture.key("job");
		String list = this.fixture.name("parked-on:" + key.digest());
		this.fixture.takeForeign(key, Duration.ofHours(1));
		enqueue("job", LockStrategy.WHILE_EXECUTING, NewJob.Start.NOW);
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		this.fixture.releaseForeign(key);
		this.fixture.advance(Duration.ofSeconds(10));
		assertThat(this.fixture.reserve(1, "other").jobs()).isEmpty();
		assertThat(this.fixture.store.find("job").orElseThrow().state()).isEqualTo(JobState.READY);
		Set<String> listed = this.fixture.redis.opsForZSet().range(list, 0, -1);
		assertThat(listed).hasSize(1);
		this.fixture.redis.delete(list);
		assertThat(this.fixture.store.verify()).extracting(Violation::subject, Violation::description)
			.containsExactly(tuple("job", "is parked, and not listed for its key"));
		this.fixture.store.repair();
		assertThat(this.fixture.redis.opsForZSet().range(list, 0, -1)).isEqualTo(listed);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void runThatIsWronglyCountedAsSetAsideIsARunningJob() {
		fill();
		Damage.RUN_THAT_IS_COUNTED_AS_SET_ASIDE.plant.accept(this.fixture, "");
		assertThat(this.fixture.store.verify()).extracting(Violation::subject, Violation::description)
			.containsExactly(tuple("running", "is counted as set aside, and is not"));
	}

	/**
	 * The lock of a run was deleted by hand.
	 */
	@Test
	void jobThatStaysParkedOnAFreeKeyIsFoundAndRuns() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		this.fixture.reserve(1, "default");
		this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		this.fixture.redis.delete(this.fixture.lock(QueueFixture.key(1)));
		assertThat(this.fixture.store.verify()).extracting(Violation::description)
			.containsExactly("is free, and b stays parked on it");
		this.fixture.store.repair();
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
	}

	@Test
	void runWithoutItsTicketIsFoundAndGetsItAgain() {
		enqueue("first", LockStrategy.UNTIL_EXECUTED, NewJob.Start.NOW);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("first");
		this.fixture.redis.opsForHash().delete(this.fixture.name("tickets"), QueueFixture.key("first").digest());
		assertThat(this.fixture.store.verify()).extracting(Violation::description)
			.containsExactly("is running without its ticket, which no job has");
		this.fixture.store.repair();
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("second", LockStrategy.UNTIL_EXECUTED, "first")))
			.isEqualTo(new EnqueueResult.Duplicate("first", JobState.RUNNING));
	}

	/**
	 * Queues that have come since the others were read are among them.
	 */
	@Test
	void totalsAreThoseOfAllQueuesHoweverMany() {
		fill();
		addQueues(10_000);
		assertThat(check("0", "totals")).containsExactly(List.of(), List.of(), 0L);
	}

	@Test
	void wrongTotalsAreFoundAmongThousandsOfQueues() {
		fill();
		addQueues(5000);
		this.fixture.count("queue7", (counters) -> counters.with("running", 2));
		this.fixture.count("queue4999", (counters) -> counters.with("unreadable", 3));
		this.fixture.count("queue8", (counters) -> counters.with("running", 200_000_000_000_000L));
		this.fixture.field("state", "q:queue9", new byte[] { 1, 25 });
		assertThat(check("0", "totals").get(0)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactlyInAnyOrder(List.of("queue7", "has 0 running jobs and counts 2", 0L),
					List.of("queue4999", "has 0 unreadable jobs and counts 3", 0L));
	}

	private void addQueues(int count) {
		String counters = text(CounterBytes.none().with("seq", 1).with("accepted", 1).with("succeeded", 1).bytes());
		Map<String, String> queues = IntStream.range(0, count)
			.boxed()
			.collect(Collectors.toMap((i) -> "q:queue" + i, (i) -> counters));
		this.fixture.redis.<String, String>opsForHash().putAll(this.fixture.name("state"), queues);
	}

	private List<Object> check(String... args) {
		try (RedisConnections connections = new RedisConnections(this.fixture.connectionFactory,
				this.fixture.connectionFactory, Duration.ofSeconds(2), () -> {
				})) {
			QueueCommands commands = new QueueCommands(connections, this.fixture.leaseKeys, QueueScripts.load());
			return commands.run("check", QueueScript.CHECK, List.of(args));
		}
	}

	/**
	 * Bytes below 128 only, which are text as they are.
	 */
	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.US_ASCII);
	}

	@Test
	void ticketWhosePeriodHasPassedIsNoViolation() {
		NewJob job = QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, 1);
		this.fixture.queue.enqueue(job.copy().unique(job.lock(), job.key(), Duration.ofSeconds(5)).build());
		this.fixture.advance(Duration.ofSeconds(5));
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void runIsNoViolationWhenTheClockHasRunBackALittle() {
		enqueue("a", LockStrategy.WHILE_EXECUTING, NewJob.Start.NOW);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		this.fixture.advance(Duration.ofSeconds(-30));
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void deadLettersAreCountedAgainWhenTheCounterAndTheListOfAQueueAreLost() {
		fill();
		this.fixture.redis.delete(this.fixture.name("dead:default"));
		this.fixture.store.repair();
		assertThat(this.fixture.store.counts("default").deadLetters()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void jobWithoutItsTicketRunsBesideAnotherOneThatHasIt() {
		fill();
		String field = QueueFixture.key("ready").digest();
		this.fixture.redis.opsForHash().delete(this.fixture.name("tickets"), field);
		this.fixture.queue.enqueue(QueueFixture.job("other", LockStrategy.UNTIL_EXECUTED, "ready"));
		assertThat(this.fixture.store.repair()).singleElement().satisfies((violation) -> {
			assertThat(violation.subject()).isEqualTo("ready");
			assertThat(violation.description()).contains("other");
			assertThat(violation.repaired()).isTrue();
		});
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(this.fixture.reserveIds(3, "default")).containsExactly("aside", "ready");
	}

	/**
	 * Its worker is alive, and renews it.
	 */
	@Test
	void runKeepsItsJobAndItsKeyWhenARepairListsItAgain() {
		enqueue("first", LockStrategy.WHILE_EXECUTING, NewJob.Start.NOW);
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		Damage.remove(this.fixture, "running", "first default");
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		assertThat(this.fixture.queue.settle(List.of(RunEnd.succeeded(run)), null).ends()).singleElement()
			.satisfies((end) -> assertThat(end.counted()).isTrue());
	}

	@Test
	void runOfADeadWorkerIsReclaimedWhenARepairHasListedItAgain() {
		enqueue("first", LockStrategy.WHILE_EXECUTING, NewJob.Start.NOW);
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		Damage.remove(this.fixture, "running", "first default");
		this.fixture.store.repair();
		this.fixture.advance(run.record().leaseFor());
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("first");
	}

	/**
	 * The records were damaged, and come from a backup after the jobs have been checked.
	 */
	@Test
	void deadAndDismissedLettersAreListedAgainWhenTheirRecordsAreRestored() {
		fill();
		List<String> ids = List.of("letter", "dismissed");
		List<byte[]> records = ids.stream().map(this.fixture::record).toList();
		Set<TypedTuple<String>> dead = members("dead");
		Set<TypedTuple<String>> ended = members("ended");
		this.fixture.advance(Duration.ofSeconds(1));
		ids.forEach((id) -> this.fixture.record(id, new byte[] { 0 }));
		this.fixture.store.repair();
		assertThat(this.fixture.store.unreadable(10)).hasSize(2);
		assertThat(this.fixture.store.counts("default").deadLetters()).isZero();
		assertThat(members("dead")).isEmpty();
		for (int i = 0; i < ids.size(); i++) {
			this.fixture.record(ids.get(i), records.get(i));
		}
		assertThat(check("1", "unreadable", "letter", "dismissed").get(0)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly(List.of("letter", "is set aside, and can be read", 1L),
					List.of("dismissed", "is set aside, and can be read", 1L));
		assertThat(this.fixture.store.counts("default").deadLetters()).isOne();
		assertThat(members("dead")).isEqualTo(dead);
		assertThat(members("ended")).isEqualTo(ended);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	private Set<TypedTuple<String>> members(String set) {
		return this.fixture.redis.opsForZSet().rangeWithScores(this.fixture.name(set), 0, -1);
	}

	/**
	 * Workers of a name serve its listed jobs before they are due.
	 */
	@Test
	void retryThatIsListedWithJobsThatWereSetAsideIsFoundAndUnlisted() {
		fill();
		Damage.add(this.fixture, "unknown:default fresh", "retry");
		assertThat(this.fixture.store.verify()).extracting(Violation::subject, Violation::description)
			.contains(tuple("retry", "is in unknown:default fresh, where it does not belong"));
		this.fixture.store.repair();
		assertThat(this.fixture.redis.opsForZSet().range(this.fixture.name("unknown:default fresh"), 0, -1))
			.containsExactly("aside");
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * A repair of one set changes what the check of another one finds.
	 */
	@Test
	void jobThatIsListedTwiceLeavesTheOthersOfItsNameSetAside() {
		fill();
		this.fixture.queue.enqueue(TestJob.of("other").named("fresh").in("default").build());
		List<RunEnd> ends = this.fixture.reserve(9, "default")
			.jobs()
			.stream()
			.filter((job) -> Set.of("aside", "other").contains(job.record().id()))
			.map((job) -> RunEnd.unknown(job, "unknown"))
			.toList();
		this.fixture.queue.settle(ends, leavingOut());
		assertThat(CounterBytes.of(this.fixture.field("state", "q:default")).json()).isEqualTo("{\"fresh\":2}");
		this.fixture.record("aside", new byte[] { 0 });
		Damage.add(this.fixture, "scheduled:default", "aside");
		assertThat(this.fixture.store.repair()).filteredOn((violation) -> violation.subject().equals("aside"))
			.hasSize(1);
		assertThat(CounterBytes.of(this.fixture.field("state", "q:default")).json()).isEqualTo("{\"fresh\":1}");
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 9 })
	void noJobIsLostWhenOnlyAPlaceIsMiscounted(long ready) {
		fill();
		QueueCounts counts = this.fixture.store.counts("default");
		this.fixture.count("default", (counters) -> counters.with("ready", ready));
		this.fixture.store.repair();
		assertThat(this.fixture.store.counts("default")).isEqualTo(counts);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * Checks that queues with many segments of ready jobs are checked by several calls.
	 */
	@Test
	void countersOfAllQueuesAreCheckedThoughTheyHaveManyReadyJobs() {
		List<String> queues = List.of("a", "b", "c", "d", "e");
		for (String queue : queues) {
			this.fixture.queue.enqueue(QueueFixture.job("of-" + queue, queue, LockStrategy.NONE));
			this.fixture.count(queue, (counters) -> counters.with("ready", 9));
			Set<TypedTuple<String>> segments = IntStream.rangeClosed(1000, 3500)
				.mapToObj((segment) -> TypedTuple.of(Integer.toString(segment), (double) segment))
				.collect(Collectors.toSet());
			this.fixture.redis.opsForZSet().add(this.fixture.name("ready:" + queue), segments);
		}
		assertThat(this.fixture.store.verify()).filteredOn((violation) -> violation.description().contains("counts 9"))
			.extracting(Violation::subject)
			.containsExactlyInAnyOrderElementsOf(queues);
	}

	/**
	 * Kind of damage.
	 */
	enum Damage {

		READY_JOB_IN_NO_PLACE((fixture, digest) -> remove(fixture, segment(fixture), "ready")),

		PLACE_OF_NO_JOB((fixture, digest) -> add(fixture, segment(fixture), "ghost")),

		SEGMENT_THAT_IS_NOT_LISTED((fixture, digest) -> fixture.redis.delete(fixture.name("ready:default"))),

		SEGMENT_WITHOUT_JOBS(
				(fixture, digest) -> fixture.redis.opsForZSet().add(fixture.name("ready:default"), "777", 777)),

		PLACE_OF_ANOTHER_STATE((fixture, digest) -> add(fixture, segment(fixture), "ended")),

		SCHEDULED_JOB_THAT_IS_NEVER_DUE((fixture, digest) -> remove(fixture, "due", "scheduled default")),

		DUE_JOB_THAT_IS_NONE((fixture, digest) -> add(fixture, "due", "running default")),

		SCHEDULED_JOB_THAT_IS_DUE_MUCH_LATER((fixture, digest) -> postpone(fixture, "due", "scheduled default")),

		RETRY_THAT_IS_NEVER_DUE((fixture, digest) -> remove(fixture, "due", "aside default")),

		RUN_THAT_NEVER_EXPIRES((fixture, digest) -> postpone(fixture, "running", "running default")),

		RUN_THAT_IS_COUNTED_AS_SET_ASIDE((fixture, digest) -> fixture.redis.opsForHash()
			.put(fixture.name("state"), "u:running", "default running")),

		KEY_THAT_IS_CHECKED_MUCH_LATER((fixture, digest) -> postpone(fixture, "due", "k:" + digest)),

		RUN_WITHOUT_AN_END((fixture, digest) -> remove(fixture, "running", "running default")),

		RUN_OF_ANOTHER_QUEUE((fixture, digest) -> add(fixture, "running", "running other")),

		RUN_OF_NO_QUEUE((fixture, digest) -> add(fixture, "running", "running")),

		RUN_OF_NO_JOB((fixture, digest) -> add(fixture, "running", "ghost default")),

		ENDED_JOB_THAT_IS_NEVER_FORGOTTEN((fixture, digest) -> remove(fixture, "ended", "ended")),

		DISMISSED_LETTER_THAT_IS_NEVER_FORGOTTEN((fixture, digest) -> remove(fixture, "ended", "dismissed")),

		DISMISSED_LETTER_THAT_IS_STILL_ONE((fixture, digest) -> add(fixture, "dead", "dismissed")),

		LETTER_THAT_ITS_QUEUE_HAS_NOT((fixture, digest) -> remove(fixture, "dead:default", "letter")),

		LETTER_OF_A_JOB_THAT_IS_NOT_DEAD((fixture, digest) -> add(fixture, "dead:default", "running")),

		LETTER_WITHOUT_A_RECORD((fixture, digest) -> fixture.redis.opsForHash().delete(fixture.name("jobs"), "letter")),

		LETTERS_THAT_ARE_MISCOUNTED((fixture, digest) -> {
			assertThat(CounterBytes.of(fixture.field("state", "q:default")).number("letters")).isOne();
			fixture.count("default", (counters) -> counters.with("letters", 7));
		}),

		QUEUE_THAT_OVERVIEWS_LEAVE_OUT((fixture, digest) -> remove(fixture, "queues", "default")),

		COUNTER_BEHIND_THE_LAST_PLACE(
				(fixture, digest) -> fixture.count("default", (counters) -> counters.with("seq", 1))),

		QUEUE_IN_ANOTHER_PLACE(
				(fixture, digest) -> fixture.redis.opsForZSet().add(fixture.name("queues"), "default", 7)),

		NAME_OF_NO_QUEUE((fixture, digest) -> add(fixture, "queues", "ghost")),

		JOB_THAT_WAS_SET_ASIDE_AND_IS_NOT_LISTED(
				(fixture, digest) -> fixture.redis.delete(fixture.name("unknown:default fresh"))),

		LISTED_JOB_THAT_WAS_NOT_SET_ASIDE((fixture, digest) -> add(fixture, "unknown:default fresh", "ghost")),

		NAME_THAT_IS_SET_ASIDE_NO_MORE((fixture, digest) -> {
			assertThat(CounterBytes.of(fixture.field("state", "q:default")).json()).isEqualTo("{\"fresh\":1}");
			fixture.count("default", (counters) -> counters.withJson(""));
		}),

		PARKED_JOB_THAT_IS_NOT_LISTED((fixture, digest) -> fixture.redis.delete(fixture.name("parked-on:" + digest))),

		LISTED_JOB_THAT_IS_NOT_PARKED(
				(fixture, digest) -> add(fixture, "parked-on:" + digest, "default 0000000000000001 ghost")),

		LISTED_JOB_THAT_IS_PARKED_ON_ANOTHER_KEY((fixture, digest) -> {
			String other = QueueFixture.key("other").digest();
			add(fixture, "parked-on:" + other, parked(fixture, digest));
			fixture.redis.opsForZSet().add(fixture.name("due"), "k:" + other, fixture.now());
		}),

		LISTED_JOB_IN_ANOTHER_PLACE((fixture, digest) -> fixture.redis.opsForZSet()
			.add(fixture.name("parked-on:" + digest), parked(fixture, digest), 7)),

		KEY_THAT_IS_NEVER_CHECKED((fixture, digest) -> remove(fixture, "due", "k:" + digest)),

		TICKET_OF_NO_JOB((fixture, digest) -> fixture.redis.opsForHash()
			.put(fixture.name("tickets"), "-E3MrRD23owiAitO_lCqRg", "ghost")),

		TICKET_THAT_IS_LOST((fixture, digest) -> fixture.redis.opsForHash()
			.delete(fixture.name("tickets"), QueueFixture.key("ready").digest()));

		private final BiConsumer<QueueFixture, String> plant;

		Damage(BiConsumer<QueueFixture, String> plant) {
			this.plant = plant;
		}

		/**
		 * Returns the segment that lists the ready job.
		 */
		private static String segment(QueueFixture fixture) {
			return "ready:default "
					+ fixture.redis.opsForZSet().range(fixture.name("ready:default"), 0, 0).iterator().next();
		}

		/**
		 * Returns the entry of the parked job in the list of its key.
		 */
		private static String parked(QueueFixture fixture, String digest) {
			return fixture.redis.opsForZSet().range(fixture.name("parked-on:" + digest), 0, 0).iterator().next();
		}

		private static void remove(QueueFixture fixture, String set, String member) {
			assertThat(fixture.redis.opsForZSet().remove(fixture.name(set), member)).isOne();
		}

		private static void postpone(QueueFixture fixture, String set, String member) {
			assertThat(fixture.redis.opsForZSet().add(fixture.name(set), member, 1e15)).isFalse();
		}

		private static void add(QueueFixture fixture, String set, String member) {
			fixture.redis.opsForZSet().add(fixture.name(set), member, 0);
		}

	}

}
