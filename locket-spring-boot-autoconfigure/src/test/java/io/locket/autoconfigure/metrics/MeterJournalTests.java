package io.locket.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.metrics.LocketMeters;
import io.locket.queue.JobRecord;
import io.locket.testing.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the meters of a producer and two workers. Their jobs succeed, fail, conflict,
 * are replaced, superseded, cancelled, removed, deferred and requeued. The sums of the
 * meters must equal the records of the bodies, the callers and the store.
 */
class MeterJournalTests {

	private static final Map<String, String> DUPLICATES = Map.of("work.once", "reject", "work.strict", "raise",
			"work.latest", "replace");

	private static final Map<String, String> CALLS = Map.of("work.parks", "park", "work.rejects", "reject",
			"work.raises", "raise", "work.reschedules", "reschedule");

	private static final LoggingSystem LOGGING = LoggingSystem.get(MeterJournalTests.class.getClassLoader());

	private final MeterJournal journal = new MeterJournal();

	private final ApplicationContextRunner producer = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class, LocketMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(), "locket.history.max-size=1000000")
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(MeterJournal.class, () -> this.journal)
		.withBean(JournalWork.KeyHold.class, () -> new JournalWork.KeyHold(4))
		.withBean("work", JournalWork.class);

	/**
	 * Workers take one job at a time, because jobs of a returned batch would count twice.
	 */
	private final ApplicationContextRunner worker = this.producer.withPropertyValues("locket.worker.concurrency=4",
			"locket.worker.batch=1", "locket.worker.queues=conflicts,later,plain");

	/**
	 * Silences the log, which would have a line for each failure.
	 */
	@BeforeEach
	void silence() {
		LOGGING.setLogLevel("io.locket.worker.run.Attempt", LogLevel.ERROR);
	}

	@AfterEach
	void speak() {
		LOGGING.setLogLevel("io.locket.worker.run.Attempt", null);
	}

	@Test
	void metersSayWhatHappened() {
		compare(10);
	}

	@Test
	@Tag("scale")
	void metersSayWhatHappenedToTenThousandJobs() {
		compare(100);
	}

	private void compare(int unit) {
		this.producer.run((context) -> this.worker.run((first) -> this.worker.run((second) -> {
			JournalCourse course = new JournalCourse(context, unit);
			course.run();
			List<JobRecord> records = course.records();
			List<MeterRegistry> registries = List.of(context.getBean(MeterRegistry.class),
					first.getBean(MeterRegistry.class), second.getBean(MeterRegistry.class));
			expectOfCallers();
			expectOfRecords(records);
			expectConflicts(unit);
			expectUnknown(registries);
			// Workers are notified after the change in the store.
			await().atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(MeterJournal.counted(registries))
					.containsExactlyInAnyOrderEntriesOf(this.journal.expected()));
			assertThat(reservationsThatGotAJob(registries)).isEqualTo(this.journal.expected(LocketMeters.JOB_WAITING));
			assertGauges(context.getBean(MeterRegistry.class), records);
			registries.forEach((registry) -> registry.find("locket.lease.held")
				.gauges()
				.forEach((gauge) -> assertThat(gauge.value()).isZero()));
		})));
	}

	/**
	 * Expects the replies to callers and the runs of bodies.
	 */
	private void expectOfCallers() {
		this.journal.forEach((note, count) -> {
			if (note.queue().equals(MeterJournal.DIRECT)) {
				this.journal.expect(count, LocketMeters.CALL_EXECUTIONS, note.job(),
						note.what().equals("returned") ? "succeeded" : "failed");
			}
			else if (note.what().equals("returned")) {
				expectRuns(count, note.job(), note.queue(), "succeeded");
			}
			else if (!note.what().equals("threw")) {
				this.journal.expect(count, LocketMeters.JOB_ENQUEUES, note.job(), note.queue(), note.what());
			}
			if (Set.of("duplicate", "replaced").contains(note.what())) {
				this.journal.expect(count, LocketMeters.JOB_CONFLICTS, note.job(), "enqueue",
						DUPLICATES.get(note.job()));
			}
		});
	}

	/**
	 * Expects the end states of jobs and the numbers of their failures.
	 */
	private void expectOfRecords(List<JobRecord> records) {
		records.stream()
			.collect(Collectors.groupingBy(JobRecord::job))
			.forEach((job, ofJob) -> ofJob.stream()
				.collect(Collectors.groupingBy(JobRecord::queue))
				.forEach((queue, ofBoth) -> expectOfRecords(job, queue, ofBoth)));
	}

	private void expectOfRecords(String job, String queue, List<JobRecord> records) {
		records.stream()
			.filter((record) -> record.state().isEnded())
			.forEach((record) -> this.journal.expect(1, LocketMeters.JOB_ENDED, job, queue, word(record.state())));
		long attempts = records.stream().mapToLong(JobRecord::attempt).sum();
		long dead = in(records, JobState.DEAD);
		long superseded = in(records, JobState.SUPERSEDED);
		expectRuns(dead, job, queue, "dead");
		expectRuns(superseded, job, queue, "superseded");
		expectRuns(attempts - dead - superseded, job, queue, "failed");
		if (job.equals("work.raises")) {
			// The job never runs, because each attempt is a conflict.
			this.journal.expect(attempts, LocketMeters.JOB_CONFLICTS, job, "run", "raise");
		}
		else {
			assertThat(this.journal.noted("threw", job, queue)).as(job).isEqualTo(attempts);
		}
	}

	/**
	 * Expects the deferrals of an unknown job. Each thread of a worker may get such a job
	 * once before it filters the name.
	 */
	private void expectUnknown(List<MeterRegistry> registries) {
		long given = registries.stream()
			.flatMap((registry) -> registry.find(LocketMeters.JOB_WAITING.meterName())
				.tag("job", JournalCourse.UNKNOWN)
				.timers()
				.stream())
			.mapToLong(Timer::count)
			.sum();
		assertThat(given).isBetween(1L, 8L);
		expectRuns(given, JournalCourse.UNKNOWN, "plain", "deferred");
	}

	/**
	 * Expects runs, each with a waiting time.
	 */
	private void expectRuns(long count, String job, String queue, String outcome) {
		this.journal.expect(count, LocketMeters.JOB_EXECUTIONS, job, queue, outcome);
		this.journal.expect(count, LocketMeters.JOB_WAITING, job, queue);
	}

	private void expectConflicts(int unit) {
		this.journal.expect(5L * unit + 1, LocketMeters.JOB_CONFLICTS, "work.parks", "run", "park");
		this.journal.expect(5L * unit, LocketMeters.JOB_CONFLICTS, "work.rejects", "run", "reject");
		this.journal.expect(2L * unit, LocketMeters.JOB_CONFLICTS, "work.reschedules", "run", "reschedule");
		CALLS.forEach((job, strategy) -> this.journal.expect(1, LocketMeters.JOB_CONFLICTS, job, "call", strategy));
	}

	/**
	 * Returns the number of reservations that returned a job. Each requests one job.
	 */
	private static long reservationsThatGotAJob(List<MeterRegistry> registries) {
		return registries.stream()
			.flatMap((registry) -> registry.find("locket.reservations").tag("outcome", "jobs").timers().stream())
			.mapToLong(Timer::count)
			.sum();
	}

	private static void assertGauges(MeterRegistry registry, List<JobRecord> records) {
		Set<String> queues = records.stream().map(JobRecord::queue).collect(Collectors.toSet());
		assertThat(registry.get("locket.queue.known").gauge().value()).isEqualTo(queues.size());
		for (String queue : queues) {
			for (JobState state : JobState.values()) {
				if (!state.isEnded() || state == JobState.DEAD) {
					assertThat(registry.get("locket.queue.jobs")
						.tags("queue", queue, "state", word(state))
						.gauge()
						.value())
						.as(queue + " " + state)
						.isEqualTo(records.stream()
							.filter((record) -> record.queue().equals(queue) && record.state() == state)
							.filter((record) -> record.requeuedAs() == null)
							.count());
				}
			}
		}
	}

	private static long in(List<JobRecord> records, JobState state) {
		return records.stream().filter((record) -> record.state() == state).count();
	}

	private static String word(JobState state) {
		return state.name().toLowerCase(Locale.ROOT);
	}

}
