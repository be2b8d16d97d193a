package io.locket.examples.migration.cloudtasker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.JobState;
import io.locket.event.JobRetried;
import io.locket.examples.Examples;
import io.locket.examples.RecordedEvents;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/migration/cloudtasker.md.
 */
class CloudtaskerExamplesTests {

	@Test
	void secondJobIsRescheduledWhileTheFirstOneRuns() {
		Examples.application(UniqAtRuntimeWorker.class, RecordedEvents.class)
			.withPropertyValues("locket.worker.queues=default")
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				UniqAtRuntimeWorker worker = context.getBean(UniqAtRuntimeWorker.class);
				RecordedEvents events = context.getBean(RecordedEvents.class);
				jobs.enqueue("uniqAtRuntimeWorker.perform", "a", "b");
				await().until(() -> worker.runs() == 1);
				Accepted second = (Accepted) jobs.enqueue("uniqAtRuntimeWorker.perform", "a", "b");
				await()
					.untilAsserted(() -> assertThat(events.of(JobRetried.class)).singleElement().satisfies((event) -> {
						assertThat(event.id()).isEqualTo(second.id());
						assertThat(event.delay()).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5500));
					}));
				worker.open();
				JobStore store = context.getBean(JobStore.class);
				await().until(() -> store.counts("default").in(JobState.SUCCEEDED) == 1);
				assertThat(store.find(second.id()).orElseThrow().state()).isEqualTo(JobState.RETRY);
				assertThat(worker.runs()).isOne();
			});
	}

	@Test
	void everyPairOfLockAndConflictExistsAndActsAsThePageStates() {
		Examples.application(Locks.class).run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			Jobs producer = context.getBean(Jobs.class);
			assertThat(jobs.jobs()).hasSize(7);
			for (String job : List.of("untilExecutingReject", "untilExecutedReject")) {
				assertThat(producer.enqueue("locks." + job, "a")).isInstanceOf(Accepted.class);
				assertThat(producer.enqueue("locks." + job, "a")).isInstanceOf(Duplicate.class);
			}
			for (String job : List.of("untilExecutingRaise", "untilExecutedRaise")) {
				assertThat(producer.enqueue("locks." + job, "a")).isInstanceOf(Accepted.class);
				assertThatExceptionOfType(DuplicateJobException.class)
					.isThrownBy(() -> producer.enqueue("locks." + job, "a"));
			}
			for (ConflictStrategy conflict : List.of(ConflictStrategy.REJECT, ConflictStrategy.RESCHEDULE,
					ConflictStrategy.RAISE)) {
				String job = "locks.whileExecuting" + StringUtils.capitalize(conflict.name().toLowerCase(Locale.ROOT));
				assertThat(producer.enqueue(job, "a")).isInstanceOf(Accepted.class);
				assertThat(producer.enqueue(job, "a")).isInstanceOf(Accepted.class);
				assertThat(jobs.job(job).onConflictQueued()).isEqualTo(conflict);
			}
		});
	}

	@Test
	void annotationsOfTheTableAreThoseThatRunHere() throws IOException {
		List<String> shown = annotations(Path.of("../docs/migration/cloudtasker.md"), "`(@UniqueJob\\([^`]*\\))`");
		assertThat(shown).hasSize(7)
			.isEqualTo(annotations(Path.of("src/test/java/io/locket/examples/migration/cloudtasker/Locks.java"),
					"(?m)^\t(@UniqueJob\\(.*\\))$"));
	}

	private static List<String> annotations(Path file, String pattern) throws IOException {
		return Pattern.compile(pattern)
			.matcher(Files.readString(file))
			.results()
			.map((match) -> match.group(1))
			.toList();
	}

	@Test
	void argumentsThatDoNotCountMakeNoDifference() {
		Examples.application(UniqueArguments.class).run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.keyOf("uniqueArguments.firstTwo", "a", "b", 1L))
				.isEqualTo(jobs.keyOf("uniqueArguments.firstTwo", "a", "b", 2L));
			assertThat(jobs.keyOf("uniqueArguments.modulo", "a", "b", 7))
				.isEqualTo(jobs.keyOf("uniqueArguments.modulo", "a", "b", 12))
				.isNotEqualTo(jobs.keyOf("uniqueArguments.modulo", "a", "b", 8));
			Jobs producer = context.getBean(Jobs.class);
			assertThat(producer.enqueue("uniqueArguments.realtime", "a", "b")).isInstanceOf(Accepted.class);
			assertThat(producer.enqueue("uniqueArguments.realtime", "a", "b")).isInstanceOf(Duplicate.class);
			assertThat(jobs.job("uniqueArguments.realtime").uniqueFor()).hasSeconds(30);
		});
	}

}
