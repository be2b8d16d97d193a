package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunToken;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the cost of the queue in commands and in bytes. Prints the numbers.
 */
@Tag("endurance")
class QueueCostTests {

	private static final int JOBS = 200;

	private final RedisServer server = RedisServer.start();

	private final String namespace = RedisServer.newNamespace();

	private final QueueFixture fixture = QueueFixture.create(this.server, this.namespace);

	@AfterEach
	void close() {
		this.fixture.close();
		this.server.close();
	}

	@ParameterizedTest
	@CsvSource({ "NONE, 1, 14, 1.1", "WHILE_EXECUTING, 1, 24, 1.1", "UNTIL_EXECUTED, 1, 24, 1.1",
			"UNTIL_AND_WHILE_EXECUTING, 1, 24, 1.1", "NONE, 8, 14, 0.2", "WHILE_EXECUTING, 8, 24, 0.2" })
	void busyWorkerPaysForAJob(LockStrategy lock, int batch, double inner, double calls) {
		enqueue(lock, "default", "job", JOBS + batch);
		Reservation reservation = this.fixture.reserve(batch, "default");
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			for (int done = 0; done < JOBS; done += batch) {
				reservation = this.fixture.queue.settle(ends(reservation), QueueFixture.request(batch, "default"))
					.next();
			}
			report(lock + ", batch " + batch, counter, JOBS, calls, inner);
		}
	}

	/**
	 * In the compact form, each access to a ticket walks all of them.
	 */
	@Test
	void ticketsLeaveTheCompactFormOfASmallHash() {
		for (int i = 0; i < 100; i++) {
			enqueue(LockStrategy.UNTIL_EXECUTED, "default", "single" + i + "-", 1);
		}
		String tickets = "{" + this.namespace + "}:tickets";
		assertThat(this.server.execute("OBJECT", "ENCODING", tickets)).hasToString("hashtable");
		assertThat(this.server.execute("HLEN", tickets)).hasToString("100");
	}

	@Test
	void candidatesBehindHeldKeysAreReadTogether() {
		this.fixture.takeForeign(QueueFixture.key("crowd"), Duration.ofMinutes(5));
		this.fixture.queue.enqueue(IntStream.range(0, 9)
			.mapToObj((i) -> QueueFixture.job("crowd" + i, "default", LockStrategy.WHILE_EXECUTING, "crowd"))
			.toList());
		enqueue(LockStrategy.WHILE_EXECUTING, "default", "free", 60);
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			assertThat(this.fixture.reserveIds(60, "default")).hasSize(60);
			assertThat(counter.innerCommands()).filteredOn("HMGET"::equalsIgnoreCase).hasSizeLessThan(15);
		}
	}

	/**
	 * In the compact form, each insertion walks all members.
	 */
	@Test
	void parkedJobsOfACrowdLeaveTheCompactFormOfASmallSet() {
		List<NewJob> crowd = IntStream.range(0, 12)
			.mapToObj((i) -> QueueFixture.job("crowd" + i, "default", LockStrategy.WHILE_EXECUTING, "crowd"))
			.toList();
		this.fixture.takeForeign(QueueFixture.key("crowd"), Duration.ofMinutes(5));
		this.fixture.queue.enqueue(crowd);
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		for (String set : List.of("parked:default", "parked-on:" + QueueFixture.key("crowd").digest())) {
			String name = "{" + this.namespace + "}:" + set;
			assertThat(this.server.execute("OBJECT", "ENCODING", name)).hasToString("skiplist");
			assertThat(this.server.execute("ZCARD", name)).hasToString("10");
		}
	}

	@Test
	void segmentsOfReadyJobsHaveTheCompactFormOfASmallSet() {
		enqueue(LockStrategy.NONE, "default", "job", 200);
		String segment = "{" + this.namespace + "}:ready:default 1";
		assertThat(this.server.execute("OBJECT", "ENCODING", segment).toString()).isIn("ziplist", "listpack");
		assertThat(this.server.execute("ZCARD", segment)).hasToString("64");
	}

	@Test
	void progressOfAHundredRunsIsOneCall() {
		enqueue(LockStrategy.NONE, "default", "job", 100);
		List<RunProgress> runs = this.fixture.reserve(100, "default")
			.jobs()
			.stream()
			.map((job) -> new RunProgress(new RunToken(job.record().id(), job.token()), 1, 2, "message"))
			.toList();
		// Redis gets to know the script.
		this.fixture.queue.progress(runs.subList(0, 1));
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			this.fixture.queue.progress(runs);
			report("progress of a run", counter, runs.size(), 0.01, 0.05);
		}
		assertThat(this.fixture.store.find("job99").orElseThrow().progress()).isNotNull();
	}

	private static void report(String what, CommandCounter counter, int jobs, double calls, double inner) {
		double ofClients = counter.commands().size() / (double) jobs;
		double ofScripts = counter.innerCommands().size() / (double) jobs;
		System.out.printf("%s: %.2f calls and %.2f commands inside scripts a job%n", what, ofClients, ofScripts);
		assertThat(ofClients).as("calls a job").isLessThanOrEqualTo(calls);
		assertThat(ofScripts).as("commands inside scripts a job").isLessThanOrEqualTo(inner);
	}

	private static List<RunEnd> ends(Reservation reservation) {
		return reservation.jobs().stream().map(RunEnd::succeeded).toList();
	}

	private void enqueue(LockStrategy lock, String queue, String prefix, int count) {
		List<NewJob> jobs = IntStream.range(0, count)
			.mapToObj((i) -> QueueFixture.job(prefix + i, queue, lock, prefix + i))
			.toList();
		this.fixture.queue.enqueue(jobs);
	}

	@Test
	void crowdOfOneHeldKeyCostsTheQueueBelowAlmostNothing() {
		List<NewJob> crowd = IntStream.range(0, 10_000)
			.mapToObj((i) -> QueueFixture.job("crowd" + i, "high", LockStrategy.WHILE_EXECUTING, "crowd"))
			.toList();
		this.fixture.queue.enqueue(crowd);
		enqueue(LockStrategy.WHILE_EXECUTING, "low", "free", 100);
		this.fixture.takeForeign(QueueFixture.key("crowd"), Duration.ofMinutes(5));
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			runAll(100, 8, "high", "low");
			report("100 free jobs below 10,000 of a held key", counter, 100, 1.5, 100);
		}
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * Checks that a job is parked by a call that also does something else, and that its
	 * key is handed over by the call that ends the run before.
	 */
	@Test
	void jobOfAContendedKeyCostsOneCall() {
		this.fixture.queue.enqueue(IntStream.range(0, JOBS)
			.mapToObj(
					(i) -> QueueFixture.job("job" + i, "default", LockStrategy.WHILE_EXECUTING, "key" + i / (JOBS / 4)))
			.toList());
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			runAll(JOBS, 4, "default");
			report("job of a contended key", counter, JOBS, 1.3, 25);
		}
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * Runs jobs with some pollers, one job at a time each.
	 */
	private void runAll(int jobs, int threads, String... queues) {
		int done = 0;
		Map<Integer, List<ReservedJob>> pollers = new HashMap<>();
		for (int turn = 0; done < jobs; turn++) {
			List<RunEnd> ends = pollers.getOrDefault(turn % threads, List.of())
				.stream()
				.map(RunEnd::succeeded)
				.toList();
			done += ends.size();
			ReservationRequest request = QueueFixture.request("poller" + turn % threads, 1, queues);
			Reservation next = ends.isEmpty() ? this.fixture.queue.reserve(request)
					: this.fixture.queue.settle(ends, request).next();
			pollers.put(turn % threads, next.jobs());
		}
	}

	/**
	 * Checks that each job is set aside once, and then costs workers without a handler
	 * for it nothing.
	 */
	@Test
	void crowdOfUnknownJobsCostsAWorkerThatDoesNotKnowThemAlmostNothing() {
		List<NewJob> crowd = IntStream.range(0, 5_000)
			.mapToObj((i) -> TestJob.of("fresh" + i).named("fresh").in("default").build())
			.toList();
		this.fixture.queue.enqueue(crowd);
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			while (this.fixture.queue.reserve(leavingOut("fresh")).cutShort()) {
				continue;
			}
			report("unknown job that is set aside", counter, crowd.size(), 0.11, 2.2);
		}
		enqueue(LockStrategy.NONE, "default", "job", JOBS + 1);
		Reservation reservation = this.fixture.queue.reserve(leavingOut("fresh"));
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			for (int done = 0; done < JOBS; done++) {
				reservation = this.fixture.queue.settle(ends(reservation), leavingOut("fresh")).next();
			}
			report("known job beside 5,000 that were set aside", counter, JOBS, 1.1, 16);
		}
		reservation = this.fixture.reserve(1, "default");
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			for (int done = 0; done < JOBS; done++) {
				reservation = this.fixture.queue.settle(ends(reservation), QueueFixture.request(1, "default")).next();
				assertThat(reservation.jobs().get(0).record().job()).isEqualTo("fresh");
			}
			report("job that was set aside, of a worker that knows it", counter, JOBS, 1.1, 21);
		}
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	private static ReservationRequest leavingOut(String... jobs) {
		ReservationRequest request = QueueFixture.request(1, "default");
		return new ReservationRequest(request.id(), request.poller(), request.instance(), request.thread(),
				request.queues(), request.slots(), Set.of(jobs));
	}

	@Test
	void commandsOfAScriptAreBoundedHoweverManyJobsWait() {
		List<Integer> counted = new ArrayList<>();
		for (int round = 0; round < 2; round++) {
			enqueue(LockStrategy.UNTIL_EXECUTED, "default", "round" + round + "-", (round == 0) ? 100 : 20_000);
			Reservation reservation = this.fixture.reserve(8, "default");
			try (CommandCounter counter = CommandCounter.on(this.server)) {
				reservation = this.fixture.queue.settle(ends(reservation), QueueFixture.request(8, "default")).next();
				this.fixture.queue.settle(ends(reservation), QueueFixture.request(8, "default"));
				counted.add(counter.innerCommands().size());
			}
		}
		assertThat(counted.get(1)).isEqualTo(counted.get(0));
	}

	@Test
	void overviewIsOneCallThatCostsTheSameHoweverManyJobsAndThreadsThereAre() {
		List<Integer> counted = new ArrayList<>();
		for (int round = 0; round < 2; round++) {
			enqueue(LockStrategy.NONE, "default", "round" + round + "-", (round == 0) ? 100 : 10_000);
			addPollers((round == 0) ? 8 : 10_000);
			this.fixture.store.overview();
			try (CommandCounter counter = CommandCounter.on(this.server)) {
				assertThat(this.fixture.store.overview().queues()).hasSize(1);
				assertThat(counter.commands()).hasSize(1);
				counted.add(counter.innerCommands().size());
			}
		}
		assertThat(counted.get(1)).isEqualTo(counted.get(0)).isLessThanOrEqualTo(7);
		assertThat(this.fixture.store.workers()).hasSize(100).allMatch((worker) -> worker.pollers() == 100);
	}

	@Test
	void verificationReadsSmallQueuesTogether() {
		for (int i = 0; i < 100; i++) {
			enqueue(LockStrategy.NONE, "queue" + i, "job" + i + "-", 1);
		}
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			assertThat(this.fixture.store.verify()).isEmpty();
			assertThat(counter.commands()).hasSizeLessThan(30);
		}
	}

	/**
	 * Checks the data that is kept for the threads of a hundred processes.
	 */
	private void addPollers(int count) {
		long now = System.currentTimeMillis();
		IntStream.range(0, count)
			.forEach((i) -> this.fixture.field("state", "w:poller" + i,
					PollerBytes.of(now, "request" + i, "host/" + i % 100, "")));
	}

	@Test
	@Tag("scale")
	void uniqueJobTakesLittleMemoryBesideItsArguments() {
		int count = 100_000;
		int size = 14;
		long before = memory();
		for (int from = 0; from < count; from += 10_000) {
			List<NewJob> jobs = IntStream.range(from, from + 10_000).mapToObj(QueueCostTests::typical).toList();
			this.fixture.queue.enqueue(jobs);
		}
		double each = (memory() - before) / (double) count - size;
		System.out.printf("A queued unique job takes %.0f bytes beside its arguments%n", each);
		assertThat(each).isLessThanOrEqualTo(290);
	}

	private static NewJob typical(int number) {
		NewJob job = QueueFixture.job("0123456789abcdef" + (100_000 + number), "invoices", LockStrategy.UNTIL_EXECUTED,
				100_000 + number, "2026-05");
		return job.copy().job("billing.bill").arguments("[" + (100_000 + number) + ",\"2026-05\"]").retries(5).build();
	}

	private long memory() {
		String info = this.server.execute("INFO", "memory").toString();
		return info.lines()
			.filter((line) -> line.startsWith("used_memory:"))
			.mapToLong((line) -> Long.parseLong(line.substring(12).trim()))
			.findFirst()
			.orElseThrow();
	}

}
