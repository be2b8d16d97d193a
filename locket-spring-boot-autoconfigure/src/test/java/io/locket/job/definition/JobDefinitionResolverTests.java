package io.locket.job.definition;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.job.UniqueJobs;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.queue.spi.JobQueue;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for the resolution of job definitions from annotations and configuration.
 */
class JobDefinitionResolverTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(JobQueue.class, () -> mock(JobQueue.class))
		.withBean("jobs", Jobs.class);

	@Test
	void silentJobHasTheDefaults() {
		define("jobs.silent", (job) -> {
			assertThat(job.queue()).isEqualTo("default");
			assertThat(job.aliases()).isEmpty();
			assertThat(job.lock()).isEqualTo(LockStrategy.WHILE_EXECUTING);
			assertThat(job.onDuplicate()).isEqualTo(DuplicateStrategy.REJECT);
			assertThat(job.onConflict()).isEqualTo(ConflictStrategy.REJECT);
			assertThat(job.onConflictQueued()).isEqualTo(ConflictStrategy.PARK);
			assertThat(job.times().leaseFor()).isEqualTo(Duration.ofSeconds(35));
			assertThat(job.times().rescheduleAfter()).isEqualTo(Duration.ofSeconds(5));
			assertThat(job.times().maxDelay()).isNull();
			assertThat(job.retry().retries()).isEqualTo(5);
			assertThat(job.retry().backoff()).isNull();
			assertThat(job.retry().noRetryFor()).isEmpty();
			assertThat(job.retry().timeout()).isNull();
		});
	}

	@Test
	void declaredAttributesAreResolved() {
		define("everything", (job) -> {
			assertThat(job.queue()).isEqualTo("mine");
			assertThat(job.aliases()).containsExactly("jobs.everything", "older");
			assertThat(job.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
			assertThat(job.onDuplicate()).isEqualTo(DuplicateStrategy.REPLACE);
			assertThat(job.onConflict()).isEqualTo(ConflictStrategy.RESCHEDULE);
			assertThat(job.onConflictQueued()).isEqualTo(ConflictStrategy.RESCHEDULE);
			assertThat(job.times().rescheduleAfter()).isEqualTo(Duration.ofSeconds(1));
			assertThat(job.times().maxDelay()).isEqualTo(Duration.ofHours(1));
			assertThat(job.retry().retries()).isZero();
			assertThat(job.retry().backoff()).isEqualTo(Duration.ofSeconds(2));
			assertThat(job.retry().noRetryFor()).containsExactly(IllegalArgumentException.class, IOException.class);
			assertThat(job.retry().timeout()).isEqualTo(Duration.ofHours(2));
			assertThat(job.uniqueFor()).isEqualTo(Duration.ofDays(1));
		});
	}

	@Test
	void queuedRunOfAWaitingJobParks() {
		define("jobs.waiting", (job) -> {
			assertThat(job.onConflict()).isEqualTo(ConflictStrategy.WAIT);
			assertThat(job.onConflictQueued()).isEqualTo(ConflictStrategy.PARK);
		});
	}

	@Test
	void jobIsFoundByItsAliasesAndKeyedByItsName() {
		this.contextRunner.withPropertyValues("job.queue=mine").run((context) -> {
			UniqueJobCatalog catalog = context.getBean(UniqueJobCatalog.class);
			assertThat(catalog.find("older")).isEqualTo(catalog.find("everything")).isPresent();
			assertThat(catalog.find("jobs.everything")).isPresent();
			assertThat(catalog.find("oldest")).isEmpty();
			assertThat(catalog.jobs()).extracting(UniqueJobDefinition::name)
				.containsExactly("everything", "jobs.period", "jobs.silent", "jobs.waiting");
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.keyOf("older")).isEqualTo(jobs.keyOf("everything"));
			assertThat(jobs.canonicalKey("older")).isEqualTo(jobs.canonicalKey("everything"));
		});
	}

	@Test
	void configurationOfAllJobsCountsWhereTheAnnotationIsSilent() {
		define("jobs.silent", (job) -> {
			assertThat(job.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
			assertThat(job.onConflict()).isEqualTo(ConflictStrategy.PARK);
			assertThat(job.onConflictQueued()).isEqualTo(ConflictStrategy.PARK);
		}, "locket.job.lock=until-executed", "locket.job.on-conflict=park");
	}

	@Test
	void configuredParkingDoesNotReachPeriods() {
		define("jobs.period", (job) -> {
			assertThat(job.onConflict()).isEqualTo(ConflictStrategy.REJECT);
			assertThat(job.onConflictQueued()).isEqualTo(ConflictStrategy.PARK);
		}, "locket.job.on-conflict=park");
	}

	@Test
	void configurationOfTheQueueGoesBeforeThatOfAllJobs() {
		define("jobs.silent", (job) -> {
			assertThat(job.queue()).isEqualTo("invoices");
			assertThat(job.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
			assertThat(job.onDuplicate()).isEqualTo(DuplicateStrategy.REPLACE);
			assertThat(job.onConflict()).isEqualTo(ConflictStrategy.RAISE);
			assertThat(job.onConflictQueued()).isEqualTo(ConflictStrategy.RAISE);
			assertThat(job.retry().retries()).isEqualTo(9);
		}, "locket.queue.default-name=invoices", "locket.queues.invoices.lock=until-executed",
				"locket.queues.invoices.on-duplicate=replace", "locket.queues.invoices.on-conflict=raise",
				"locket.job.lock=none", "locket.job.on-duplicate=raise", "locket.job.on-conflict=reject",
				"locket.retry.max=9");
	}

	@Test
	void annotationGoesBeforeConfiguration() {
		define("everything", (job) -> {
			assertThat(job.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
			assertThat(job.onDuplicate()).isEqualTo(DuplicateStrategy.REPLACE);
			assertThat(job.onConflict()).isEqualTo(ConflictStrategy.RESCHEDULE);
		}, "locket.queues.mine.lock=none", "locket.queues.mine.on-duplicate=raise",
				"locket.queues.mine.on-conflict=raise");
	}

	private void define(String name, Consumer<UniqueJobDefinition> assertions, String... properties) {
		this.contextRunner.withPropertyValues(properties)
			.withPropertyValues("job.queue=mine")
			.run((context) -> assertions
				.accept(context.getBean(UniqueJobCatalog.class).find(name).orElseThrow(AssertionError::new)));
	}

	static class Jobs {

		@UniqueJob
		public void silent() {
		}

		@UniqueJob(name = "everything", aliases = { "jobs.everything", "older", "everything" }, queue = "${job.queue}",
				lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.REPLACE,
				onConflict = ConflictStrategy.RESCHEDULE, rescheduleAfter = "1s", maxDelay = "1h", retries = "0",
				backoff = "2s", noRetryFor = { IllegalArgumentException.class, IOException.class }, timeout = "2h",
				uniqueFor = "1d")
		public void everything() {
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "1s")
		public void waiting() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		public void period() {
		}

	}

}
