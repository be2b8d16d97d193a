package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.LockStrategy;
import io.locket.queue.NewJob;
import io.locket.queue.Reservation;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.queue.RunProgress;
import io.locket.queue.RunToken;
import io.locket.test.CommandCounter;
import io.locket.test.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the queue costs, in commands and in bytes. Prints what it has counted.
 */
@Tag("endurance")
class QueueCostTests {

	private static final int JOBS = 200;

	private final RedisServer server = RedisServer.start();

	private final QueueFixture fixture = QueueFixture.create(this.server, RedisServer.newNamespace());

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
			int done = 0;
			Map<Integer, List<ReservedJob>> lanes = new HashMap<>();
			while (done < 100) {
				for (int lane = 0; lane < 8 && done < 100; lane++) {
					List<RunEnd> ends = lanes.getOrDefault(lane, List.of()).stream().map(RunEnd::succeeded).toList();
					done += ends.size();
					Reservation next = ends.isEmpty()
							? this.fixture.queue.reserve(QueueFixture.request("lane" + lane, 1, "high", "low"))
							: this.fixture.queue.settle(ends, QueueFixture.request("lane" + lane, 1, "high", "low"))
								.next();
					lanes.put(lane, next.jobs());
				}
			}
			report("100 free jobs below 10,000 of a held key", counter, 100, 1.5, 100);
		}
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void commandsOfAScriptAreBoundedHoweverManyJobsWait() {
		List<Integer> counted = new ArrayList<>();
		for (int round = 0; round < 2; round++) {
			enqueue(LockStrategy.UNTIL_EXECUTED, "default", "round" + round + "-", (round == 0) ? 100 : 20_000);
			Reservation reservation = this.fixture.reserve(8, "default");
			try (CommandCounter counter = CommandCounter.on(this.server)) {
				// What is over is forgotten at every sixteenth end.
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
			this.fixture.redis.opsForHash().putAll(this.fixture.name("state"), lanes((round == 0) ? 8 : 10_000));
			this.fixture.store.overview();
			try (CommandCounter counter = CommandCounter.on(this.server)) {
				assertThat(this.fixture.store.overview().queues()).hasSize(1);
				assertThat(counter.commands()).hasSize(1);
				counted.add(counter.innerCommands().size());
			}
		}
		assertThat(counted.get(1)).isEqualTo(counted.get(0)).isLessThanOrEqualTo(6);
		assertThat(this.fixture.store.workers()).hasSize(100).allMatch((worker) -> worker.lanes() == 100);
	}

	/**
	 * What is kept of the threads of a hundred processes.
	 */
	private static Map<String, String> lanes(int count) {
		return IntStream.range(0, count)
			.boxed()
			.collect(Collectors.toMap((i) -> "w:lane" + i, (i) -> "{\"r\":\"request" + i + "\",\"ids\":\"\",\"at\":"
					+ System.currentTimeMillis() + ",\"i\":\"host/" + i % 100 + "\"}"));
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
		assertThat(each).isLessThanOrEqualTo(500);
	}

	private static NewJob typical(int number) {
		NewJob job = QueueFixture.job("0123456789abcdef" + (100_000 + number), "invoices", LockStrategy.UNTIL_EXECUTED,
				100_000 + number, "2026-05");
		return new NewJob(job.id(), "billing.bill", job.queue(), "[" + (100_000 + number) + ",\"2026-05\"]", job.key(),
				job.lock(), job.onDuplicate(), job.onConflict(), job.start(), job.leaseFor(), job.uniqueFor(),
				job.holdAtLeast(), job.rescheduleAfter(), job.maxDelay(), 5, null);
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
