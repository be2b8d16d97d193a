package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the cost of each script while a thousand, a hundred thousand and a million
 * jobs wait. The number of commands stays the same, and no script delays others once the
 * jobs are enqueued. Prints its counts, and the slow scripts during the enqueuing, which
 * it does not judge.
 */
@Tag("scale")
@Tag("alone")
class QueueScaleTests {

	private static final int THREADS = 2;

	private static final int CHUNK = 2_000;

	private static final int SLOTS = 8;

	private static final int ROUNDS = 20;

	private static final int ATTEMPTS = 3;

	/**
	 * Number of scripts that a round runs.
	 */
	private static final int CALLS = 30;

	/**
	 * Loop that touches nothing stored and takes as long as the longest script. If it is
	 * slow, so is the machine.
	 */
	private static final String CONTROL = "local n = 0 for i = 1, 100000 do n = n + i % 7 end return n";

	/**
	 * Maximum number of commands of a script. It checks 20 jobs that are due and 20 whose
	 * lease has expired, 10 of the requested queue, those that it ends and those that it
	 * hands out. Each of them needs 18 commands, and may promote one job in each of 16
	 * queues, with seven commands each. It may pass 32 jobs that were removed, with two
	 * commands each, and begin at a random queue, with 20 more. The script deletes 32
	 * dead letters, which may be of as many queues.
	 */
	private static final int COMMANDS = (20 + 20 + 10 + SLOTS + SLOTS) * (7 * 16 + 2 * 32 + 38) + 30 + 40;

	/**
	 * Commands for a segment of ready jobs. The same jobs may need one segment more.
	 */
	private static final int OF_A_SEGMENT = 2;

	private static final String CROWD = "crowd";

	private static final String WORK = "work";

	private final RedisServer server = RedisServer.start("--slowlog-log-slower-than", "10000", "--slowlog-max-len",
			"1000");

	private final String namespace = RedisServer.newNamespace();

	private final QueueFixture fixture = QueueFixture.createSilent(this.server, this.namespace);

	/**
	 * Queue without the scripts for plain work. Whether those do a call or leave it
	 * depends on the time, so the number of their commands does.
	 */
	private final QueueFixture general = QueueFixture.createSilent(this.server, this.namespace, GeneralScripts.load());

	private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

	private int enqueued;

	@AfterEach
	void close() {
		this.executor.shutdownNow();
		this.general.close();
		this.fixture.close();
		this.server.close();
	}

	@Test
	void scriptsCostTheSameHoweverManyJobsWait() throws Exception {
		Map<Integer, Map<String, Integer>> costs = new LinkedHashMap<>();
		for (int size : new int[] { 1_000, 100_000, 1_000_000 }) {
			fill(size);
			System.out.printf("%,d jobs wait, slow scripts while they came: %s%n", size, micros());
			// The first use of a server and the leftovers of earlier uses are not
			// counted.
			use(this.general, null);
			serveAll();
			costs.put(size, use());
			System.out.printf("%,d jobs wait: %s%n", size, costs.get(size));
			this.server.execute("SLOWLOG", "RESET");
		}
		// A monitor receives every command at the expense of the script. The rounds come
		// last, because they can leave more ended jobs than are kept, and to purge
		// these costs commands.
		List<Object> slow = slowInCalmUse();
		this.server.execute("SLOWLOG", "RESET");
		for (int i = 0; i < ROUNDS * CALLS; i++) {
			this.server.execute("EVAL", CONTROL, "0");
		}
		assertThat(slow).as("slow scripts in calm use, in which a loop without data took %s", micros()).isEmpty();
		Map<String, Integer> few = costs.get(1_000);
		for (Map<String, Integer> many : costs.values()) {
			assertThat(many).hasSameSizeAs(few)
				.allSatisfy((use, cost) -> assertThat(cost).as(use)
					.isBetween(few.get(use) - OF_A_SEGMENT, few.get(use) + OF_A_SEGMENT));
		}
		assertThat(costs.get(1_000).values()).allMatch((cost) -> cost <= COMMANDS);
	}

	/**
	 * The slow scripts of some rounds. What else the machine does can slow one down, so
	 * that others may be needed to tell.
	 */
	private List<Object> slowInCalmUse() {
		List<Object> slow = List.of();
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			this.server.execute("SLOWLOG", "RESET");
			for (int i = 0; i < ROUNDS; i++) {
				use(this.fixture, null);
			}
			slow = micros();
			if (slow.isEmpty()) {
				return slow;
			}
			System.out.printf("Slow scripts in %d rounds: %s%n", ROUNDS, slow);
		}
		return slow;
	}

	private void fill(int size) throws Exception {
		List<Future<?>> chunks = new ArrayList<>();
		for (int from = this.enqueued; from < size; from += CHUNK) {
			int first = from;
			int last = Math.min(size, from + CHUNK);
			chunks.add(this.executor.submit(() -> this.fixture.queue
				.enqueue(IntStream.range(first, last).mapToObj(QueueScaleTests::waiting).toList())));
		}
		for (Future<?> chunk : chunks) {
			chunk.get(90, TimeUnit.SECONDS);
		}
		this.enqueued = size;
	}

	/**
	 * A tenth of them wait in the queue that is worked on, each with a ticket; of the
	 * others every second one waits for its time.
	 */
	private static NewJob waiting(int number) {
		String id = "waits" + number;
		if (number % 10 == 0) {
			return QueueFixture.job(id, WORK, LockStrategy.UNTIL_EXECUTED, id);
		}
		NewJob job = QueueFixture.job(id, CROWD, LockStrategy.NONE);
		return (number % 2 == 0) ? job
				: QueueWork.with(job, DuplicateStrategy.REJECT, Duration.ofHours(1).plusMillis(number));
	}

	/**
	 * Serves everything that is due.
	 */
	private void serveAll() {
		Reservation reservation;
		do {
			reservation = this.general.reserve(0);
		}
		while (reservation.cutShort());
	}

	/**
	 * Uses each script once and counts its commands.
	 */
	private Map<String, Integer> use() {
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			return use(this.general, counter);
		}
	}

	private Map<String, Integer> use(QueueFixture fixture, CommandCounter counter) {
		Map<String, Integer> costs = new LinkedHashMap<>();
		RedisJobQueue queue = fixture.queue;
		String prefix = QueueFixture.newId();
		List<NewJob> jobs = IntStream.range(0, 100)
			.mapToObj((i) -> QueueFixture.job(prefix + "-" + i, CROWD, LockStrategy.UNTIL_EXECUTED, prefix, i))
			.toList();
		queue.enqueue(jobs);
		count(costs, "enqueue 100", counter);
		List<ReservedJob> runs = fixture.reserve(SLOTS, WORK).jobs();
		count(costs, "reserve 8", counter);
		queue.renew(runs.stream().map((run) -> new RunToken(run.record().id(), run.token())).toList());
		count(costs, "renew 8", counter);
		runs = queue.settle(runs.stream().map(RunEnd::returned).toList(), QueueFixture.request(SLOTS, WORK))
			.next()
			.jobs();
		count(costs, "settle 8", counter);
		queue.settle(runs.stream().map((run) -> RunEnd.retry(run, Duration.ofHours(1), "it broke")).toList(), null);
		count(costs, "fail 8", counter);
		fixture.store.cancel(prefix + "-0");
		count(costs, "cancel", counter);
		due(fixture, prefix + "-due");
		reset(counter);
		fixture.reserve(0);
		count(costs, "serve 20", counter);
		park(fixture, prefix);
		reset(counter);
		runs = fixture.reserve(SLOTS, prefix + "-parked").jobs();
		count(costs, "park 10", counter);
		runs = settle(fixture, runs, prefix + "-parked");
		count(costs, "promote", counter);
		while (!runs.isEmpty()) {
			runs = settle(fixture, runs, prefix + "-parked");
		}
		assertNothingFallsDue();
		return costs;
	}

	private static List<ReservedJob> settle(QueueFixture fixture, List<ReservedJob> runs, String next) {
		return fixture.queue.settle(runs.stream().map(RunEnd::succeeded).toList(), QueueFixture.request(SLOTS, next))
			.next()
			.jobs();
	}

	/**
	 * Checks that no run is left, which would expire while another use is counted, and
	 * that no contended key is due for a check.
	 */
	private void assertNothingFallsDue() {
		assertThat(this.general.redis.opsForZSet().size(this.general.name("running"))).as("runs that are left")
			.isZero();
		assertThat(this.general.redis.opsForZSet().range(this.general.name("due"), 0, 0)).as("first due entry")
			.noneMatch((entry) -> entry.startsWith("k:"));
	}

	private static void count(Map<String, Integer> costs, String what, CommandCounter counter) {
		if (counter != null) {
			costs.put(what, counter.innerCommands().size());
		}
		reset(counter);
	}

	private static void reset(CommandCounter counter) {
		if (counter != null) {
			counter.reset();
		}
	}

	/**
	 * Jobs that become due between this call and the next one.
	 */
	private static void due(QueueFixture fixture, String prefix) {
		fixture.queue.enqueue(IntStream.range(0, 20)
			.mapToObj((i) -> QueueWork.with(QueueFixture.job(prefix + i, CROWD, LockStrategy.UNTIL_EXECUTED, prefix, i),
					DuplicateStrategy.REJECT, Duration.ofMillis(1)))
			.toList());
	}

	private static void park(QueueFixture fixture, String prefix) {
		fixture.queue.enqueue(IntStream.range(0, 20)
			.mapToObj((i) -> QueueFixture.job(prefix + "-parked" + i, prefix + "-parked", LockStrategy.WHILE_EXECUTING,
					prefix))
			.toList());
	}

	/**
	 * Returns the durations of the scripts of more than ten milliseconds, in
	 * microseconds.
	 */
	private List<Object> micros() {
		return ((List<?>) this.server.execute("SLOWLOG", "GET", "1000")).stream()
			.map((entry) -> (List<?>) entry)
			.filter((entry) -> entry.get(3).toString().toUpperCase(Locale.ROOT).contains("EVAL"))
			.<Object>map((entry) -> entry.get(2))
			.toList();
	}

}
