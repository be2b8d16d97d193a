package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.job.administration.UpdateSummary;
import io.locket.queue.JobRecord;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.NewJob;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Lists, moves and cancels parts of a million jobs that are due at the same millisecond.
 * Prints how long each took, and how many of its scripts were slow.
 */
@Tag("scale")
@Tag("alone")
class AdministrationScaleTests {

	private static final int JOBS = 1_000_000;

	private static final int PART = JOBS / 10;

	/**
	 * Average number of commands of a script, regardless of the number of jobs. Each
	 * script updates a hundred jobs or reads a thousand, several of them with one
	 * command.
	 */
	private static final int COMMANDS = 150;

	private final RedisServer server = RedisServer.start("--slowlog-log-slower-than", "10000", "--slowlog-max-len",
			"10000");

	private final QueueFixture fixture = QueueFixture.createSilent(this.server, RedisServer.newNamespace());

	private final JobAdministration jobs = new JobAdministration(this.fixture.store, mock(UniqueJobs.class),
			new ArgumentCodec());

	@AfterEach
	void close() {
		this.fixture.close();
		this.server.close();
	}

	@Test
	void partsOfAMillionJobsAreUpdated() {
		Instant due = Instant.now().plus(Duration.ofDays(1));
		for (int from = 0; from < JOBS; from += 10_000) {
			this.fixture.queue.enqueue(IntStream.range(from, from + 10_000).mapToObj((i) -> job(i, due)).toList());
		}
		BitSet seen = new BitSet(JOBS);
		timed("list", JOBS / 500, () -> this.jobs.stream(JobFilter.waiting()).forEach((job) -> {
			assertThat(seen.get(number(job))).as("seen before").isFalse();
			seen.set(number(job));
		}));
		assertThat(seen.cardinality()).isEqualTo(JOBS);
		UpdateSummary part = new UpdateSummary(PART, PART, 0, 0);
		timed("move", 2 * JOBS / 100, () -> assertThat(this.jobs.move(every(3), "other")).isEqualTo(part));
		timed("cancel", 2 * JOBS / 100, () -> assertThat(this.jobs.cancel(every(7).queue("default"))).isEqualTo(part));
		timed("run now", 2 * PART / 100,
				() -> assertThat(this.jobs.runNow(JobFilter.waiting().queue("other"))).isEqualTo(part));
		timed("find none", JOBS / 500, () -> assertThat(this.jobs.stream(JobFilter.waiting().job("other"))).isEmpty());
		assertThat(this.jobs.counts("default").in(JobState.SCHEDULED)).isEqualTo(JOBS - 2 * PART);
		assertThat(this.jobs.counts("default").in(JobState.CANCELLED)).isEqualTo(PART);
		assertThat(this.jobs.counts("other").in(JobState.READY)).isEqualTo(PART);
	}

	private static JobFilter every(int digit) {
		Predicate<JobRecord> predicate = (job) -> number(job) % 10 == digit;
		return JobFilter.waiting().matching(predicate);
	}

	/**
	 * Checks that the work of a script is bounded. Its duration depends on the load of
	 * the machine, and is only printed.
	 */
	private void timed(String what, int scripts, Runnable action) {
		this.server.execute("SLOWLOG", "RESET");
		this.server.execute("CONFIG", "RESETSTAT");
		long start = System.nanoTime();
		action.run();
		long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
		long slow = Long.parseLong(this.server.execute("SLOWLOG", "LEN").toString());
		Map<String, Long> calls = calls();
		long run = calls.entrySet()
			.stream()
			.filter(AdministrationScaleTests::isScript)
			.mapToLong(Map.Entry::getValue)
			.sum();
		long inner = calls.values().stream().mapToLong(Long::longValue).sum() - run;
		System.out.printf("%s: %,d ms, %d slow scripts of %,d, %,d commands in each%n", what, millis, slow, run,
				inner / run);
		assertThat(run).as("scripts to " + what).isLessThanOrEqualTo(scripts + scripts / 10);
		assertThat(inner).as("commands of %d scripts to %s", run, what).isLessThanOrEqualTo(run * COMMANDS);
	}

	private static boolean isScript(Map.Entry<String, Long> calls) {
		return calls.getKey().startsWith("eval");
	}

	/**
	 * Returns the number of calls of each command since the counters were reset.
	 */
	private Map<String, Long> calls() {
		return this.server.execute("INFO", "commandstats")
			.toString()
			.lines()
			.filter((line) -> line.startsWith("cmdstat_"))
			.map((line) -> line.split("[_:=,]"))
			.filter((parts) -> !parts[1].startsWith("slowlog") && !parts[1].startsWith("config"))
			.collect(Collectors.toMap((parts) -> parts[1], (parts) -> Long.valueOf(parts[3])));
	}

	private static NewJob job(int number, Instant due) {
		NewJob job = QueueFixture.job(Integer.toString((int) (number * 7919L % JOBS), 36) + "-" + number,
				LockStrategy.NONE);
		return job.copy().onDuplicate(DuplicateStrategy.REJECT).start(NewJob.Start.at(due)).build();
	}

	private static int number(JobRecord job) {
		return Integer.parseInt(job.id().substring(job.id().indexOf('-') + 1));
	}

}
