package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.redis.turn.FailedRequests;
import io.locket.queue.redis.turn.PlainRun;
import io.locket.queue.redis.turn.PlainRuns;
import io.locket.queue.redis.turn.PlainTurn;
import io.locket.queue.redis.turn.TurnFormat;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.redis.RedisConnections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for turns of several threads that one call of {@code turn.lua} or
 * {@code handover.lua} serves.
 */
class CombinedTurnsTests {

	private final QueueFixture fixture = QueueFixture.create();

	private final RedisConnections connections = new RedisConnections(this.fixture.connectionFactory,
			this.fixture.connectionFactory, Duration.ofSeconds(2), () -> {
			});

	private final PlainRuns runs = new PlainRuns();

	private final ReservationFormat reservations = new ReservationFormat(this.runs, QueueFixture.SETTINGS);

	private final QueueCommands commands = new QueueCommands(this.connections, this.fixture.leaseKeys,
			QueueScripts.load());

	private final FastPathScript script = new FastPathScript(this.commands, QueueScript.TURN);

	private final TurnFormat format = new TurnFormat(QueueFixture.SETTINGS.forTurns(true),
			this.commands.keys().registryKey());

	private final TurnRunner turns = new TurnRunner(this.script, this.format, TurnReply::read, '1',
			Duration.ofSeconds(2), new FailedRequests());

	@BeforeEach
	void loadScript() {
		this.script.run("load the script", this.format.arguments(List.of(new PlainTurn(List.of(), null)), null));
	}

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	@Test
	void turnsGetTheJobsInTheirOrder() {
		enqueue(4);
		List<Reservation> reservations = reserve(request("a", 1), request("b", 2), request("c", 3), request("d", 1));
		assertThat(reservations).extracting(CombinedTurnsTests::ids)
			.containsExactly(List.of("job0"), List.of("job1", "job2"), List.of("job3"), List.of());
		assertThat(this.fixture.store.counts("default").in(JobState.RUNNING)).isEqualTo(4);
	}

	@Test
	void runHasTheThreadOfItsTurn() {
		enqueue(3);
		reserve(request("a", 1), request("b", 2));
		assertThat(IntStream.range(0, 3).mapToObj((i) -> holder("job" + i))).containsExactly("thread-a", "thread-b",
				"thread-b");
	}

	@Test
	void runsOfSeveralReservationsEndTogether() {
		enqueue(8);
		List<ReservedJob> first = jobs(reserve(request("a", 1), request("b", 2)));
		List<ReservedJob> second = jobs(reserve(request("c", 1)));
		List<TurnReply> replies = send(
				List.of(turn(first.subList(0, 2), request("a", 2)), turn(second, request("b", 1))));
		assertThat(replies).extracting((reply) -> ids(this.reservations.readPlain(reply)))
			.containsExactly(List.of("job4", "job5"), List.of("job6"));
		assertThat(List.of("job0", "job1", "job2", "job3"))
			.allSatisfy((id) -> assertThat(this.fixture.store.find(id).orElseThrow().state())
				.isEqualTo(id.equals("job2") ? JobState.RUNNING : JobState.SUCCEEDED));
	}

	@Test
	void lockExpiresWithTheLeaseOfItsRun() {
		this.fixture.queue.enqueue(List.of(leased("a", 1, 10), QueueFixture.job("b", LockStrategy.NONE),
				leased("c", 2, 100), leased("d", 3, 1_000)));
		assertThat(ids(reserve(request("x", 4)).get(0))).containsExactly("a", "b", "c", "d");
		assertThat(IntStream.rangeClosed(1, 3)
			.mapToObj((key) -> this.fixture.redis.getExpire(this.fixture.lock(QueueFixture.key(key)))))
			.satisfiesExactly((first) -> assertThat(first).isBetween(1L, 10L),
					(second) -> assertThat(second).isBetween(11L, 100L),
					(third) -> assertThat(third).isBetween(101L, 1_000L));
	}

	private static NewJob leased(String id, int key, int seconds) {
		return QueueFixture.job(id, LockStrategy.WHILE_EXECUTING, key)
			.copy()
			.leaseFor(Duration.ofSeconds(seconds))
			.build();
	}

	@Test
	void limitOfAQueueHoldsForAllTurnsTogether() {
		enqueue(4);
		List<Reservation> reservations = reserve(limited("a"), limited("b"), limited("c"));
		assertThat(reservations).extracting(CombinedTurnsTests::ids)
			.containsExactly(List.of("job0"), List.of("job1"), List.of());
	}

	/**
	 * Checks queues whose jobs would fill all slots, but are not handed out.
	 */
	@Test
	void jobsBehindThoseOfAPausedAndAFullQueueAreHandedOut() {
		List<QueueLimit> queues = List.of(new QueueLimit("paused", 0), new QueueLimit("full", 1),
				new QueueLimit("default", 0), new QueueLimit("last", 0));
		this.fixture.queue.enqueue(Stream.of("paused", "full", "last")
			.flatMap((queue) -> IntStream.range(0, 5)
				.mapToObj((i) -> QueueFixture.job(queue + i, queue, LockStrategy.WHILE_EXECUTING,
						(queue + i).hashCode())))
			.toList());
		enqueue(1);
		this.fixture.store.pause("paused");
		assertThat(reserve(request("a", 1, queues)).get(0).jobs()).extracting((job) -> job.record().id())
			.containsExactly("full0");
		List<Reservation> reservations = reserve(request("b", 1, queues), request("c", 1, queues));
		assertThat(reservations).extracting(CombinedTurnsTests::ids).containsExactly(List.of("job0"), List.of("last0"));
		assertThat(reservations.get(0).idle()).containsExactly("paused", "full", "default");
		assertThat(ids(reserve(request("d", 4, queues)).get(0))).containsExactly("last1", "last2", "last3", "last4");
	}

	/**
	 * Checks a call whose reply is lost. A repetition without slots receives its jobs,
	 * and reserves no others if the call was not executed.
	 */
	@Test
	void reservationOfSeveralTurnsIsFoundAgain() {
		enqueue(4);
		ReservationRequest first = request("a", 1);
		ReservationRequest lost = new ReservationRequest(first.id(), "a", "test/1/a", "thread-a", first.queues(), 0,
				Set.of());
		reserve(first, request("b", 1));
		assertThat(ids(this.fixture.queue.reserve(request("b", 1)))).containsExactly("job2");
		assertThat(ids(this.fixture.queue.reserve(lost))).containsExactly("job0", "job1");
		assertThat(ids(this.fixture.queue.reserve(lost))).containsExactly("job0", "job1");
	}

	/**
	 * Checks a call that is delivered after its turns have given up on it.
	 */
	@Test
	void lostCallThatArrivesLateReservesNothing() {
		enqueue(4);
		ReservationRequest first = request("a", 1);
		List<Object> arguments = new ArrayList<>();
		this.reservations.add(new ReservationRequest(first.id(), "a", "test/1/a", "thread-a", first.queues(), 0), true,
				arguments);
		this.commands.runBinary("reserve", QueueScript.RESERVE, arguments);
		assertThat(send(List.of(turn(List.of(), first), turn(List.of(), request("b", 1)))))
			.containsOnly(TurnReply.NOTHING);
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isEqualTo(4);
	}

	@Test
	void requestWithoutSlotsReservesNothingIfTheCallWasNotExecuted() {
		enqueue(2);
		assertThat(this.fixture.queue.reserve(request("a", 0)).jobs()).isEmpty();
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isEqualTo(2);
	}

	@Test
	void nothingIsDoneForAnyTurnIfOneIsNotPlain() {
		enqueue(2);
		List<ReservedJob> running = jobs(reserve(request("a", 1)));
		PlainTurn ended = turn(running, request("a", 1));
		this.fixture.queue.settle(List.of(RunEnd.succeeded(running.get(0))), null);
		assertThat(send(List.of(ended, new PlainTurn(List.of(), request("b", 1))))).containsOnly(TurnReply.NOTHING);
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isOne();
	}

	/**
	 * Checks a call of {@code handover.lua}, whose events are published once.
	 */
	@Test
	void keysOfSeveralTurnsAreHandedOver() {
		TurnRunner handover = new TurnRunner(new FastPathScript(this.commands, QueueScript.HANDOVER), this.format,
				TurnReply::readWithEvents, '2', Duration.ofSeconds(2), new FailedRequests());
		handover.runAlone("load the script", new PlainTurn(List.of(), null));
		this.fixture.queue.enqueue(IntStream.range(0, 8)
			.mapToObj((i) -> QueueFixture.job("job" + i, LockStrategy.WHILE_EXECUTING, i % 2))
			.toList());
		List<Reservation> first = read(handover, turn(List.of(), request("a", 1)), turn(List.of(), request("b", 3)));
		assertThat(first).extracting(CombinedTurnsTests::ids).containsExactly(List.of("job0"), List.of("job1"));
		List<PlainTurn> turns = List.of(turn(first.get(0).jobs(), request("a", 1)),
				turn(first.get(1).jobs(), request("b", 1)));
		List<TurnReply> replies = replies(handover, turns);
		assertThat(replies).extracting((reply) -> ids(this.reservations.readPlain(reply)))
			.containsExactly(List.of("job2"), List.of("job3"));
		assertThat(replies).extracting((reply) -> reply.events().texts())
			.containsExactly(List.of("promoted default job", "job2", "promoted default job", "job3"), List.of());
		assertThat(holder("job2")).isEqualTo("thread-a");
		assertThat(holder("job3")).isEqualTo("thread-b");
	}

	/**
	 * Checks calls of eight threads. With eight slots in each, four threads fill a call,
	 * which is sent while another one is under way.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 8 })
	void eachJobRunsOnceInManyThreads(int slots) throws Exception {
		int jobs = 900 * slots;
		enqueue(jobs);
		Set<String> started = ConcurrentHashMap.newKeySet();
		List<Future<?>> done = new ArrayList<>();
		try (SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("slot-")) {
			for (String slot : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
				done.add(threads.submit(() -> work(slot, slots, started)));
			}
			for (Future<?> each : done) {
				each.get();
			}
		}
		assertThat(started).hasSize(jobs);
		assertThat(this.fixture.store.counts("default").in(JobState.SUCCEEDED)).isEqualTo(jobs);
	}

	private void work(String slot, int slots, Set<String> started) {
		List<ReservedJob> jobs = this.fixture.queue.reserve(request(slot, slots)).jobs();
		while (!jobs.isEmpty()) {
			jobs.forEach((job) -> assertThat(started.add(job.record().id())).isTrue());
			Reservation next = this.fixture.queue
				.settle(jobs.stream().map(RunEnd::succeeded).toList(), request(slot, slots))
				.next();
			jobs = Objects.requireNonNull(next).jobs();
		}
	}

	private void enqueue(int count) {
		this.fixture.queue.enqueue(IntStream.range(0, count)
			.mapToObj((i) -> QueueFixture.job("job" + i, LockStrategy.UNTIL_AND_WHILE_EXECUTING, i))
			.toList());
	}

	private List<Reservation> reserve(ReservationRequest... requests) {
		List<PlainTurn> turns = Stream.of(requests).map((request) -> new PlainTurn(List.of(), request)).toList();
		return send(turns).stream().map(this.reservations::readPlain).toList();
	}

	private List<Reservation> read(TurnRunner runner, PlainTurn... turns) {
		return replies(runner, List.of(turns)).stream().map(this.reservations::readPlain).toList();
	}

	private List<TurnReply> send(List<PlainTurn> turns) {
		return replies(this.turns, turns);
	}

	private static List<TurnReply> replies(TurnRunner runner, List<PlainTurn> turns) {
		CompletionStage<List<Object>> reply = runner.send(turns, turns.get(0).next());
		return runner.read(Objects.requireNonNull(reply).toCompletableFuture().join(), turns);
	}

	private PlainTurn turn(List<ReservedJob> ending, ReservationRequest next) {
		List<PlainRun> found = new ArrayList<>();
		ending.forEach((job) -> found.addAll(this.runs.split(List.of(RunEnd.succeeded(job))).runs()));
		return new PlainTurn(found, next);
	}

	private String holder(String id) {
		return Objects
			.requireNonNull(this.fixture.store
				.blocker(Objects.requireNonNull(this.fixture.store.find(id).orElseThrow().key()), true)
				.orElseThrow()
				.holder())
			.thread();
	}

	private static List<ReservedJob> jobs(List<Reservation> reservations) {
		return reservations.stream().flatMap((reservation) -> reservation.jobs().stream()).toList();
	}

	private static List<String> ids(Reservation reservation) {
		return reservation.jobs().stream().map((job) -> job.record().id()).toList();
	}

	private static ReservationRequest limited(String slot) {
		return request(slot, 1, List.of(new QueueLimit("default", 2)));
	}

	private static ReservationRequest request(String slot, int slots) {
		return request(slot, slots, List.of(new QueueLimit("default", 0)));
	}

	private static ReservationRequest request(String slot, int slots, List<QueueLimit> queues) {
		return new ReservationRequest(QueueFixture.requestId(), slot, "test/1/a", "thread-" + slot, queues, slots,
				Set.of());
	}

}
