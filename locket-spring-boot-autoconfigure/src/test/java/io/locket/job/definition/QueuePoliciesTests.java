package io.locket.job.definition;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.job.EnqueueOptions;
import io.locket.job.FailingQueue;
import io.locket.job.Jobs;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.EnqueueResult.Replaced;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.NewJob;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for queues that define the uniqueness of their jobs.
 */
class QueuePoliciesTests {

	private final FailingQueue queue = new FailingQueue();

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(FailingQueue.class, () -> this.queue)
		.withPropertyValues("locket.queues.capped.lock=until-executed")
		.withBean("work", Work.class);

	private JobRecord record(EnqueueResult result) {
		return this.queue.find(((Accepted) result).id()).orElseThrow();
	}

	@Test
	void queueIsUniqueByPayloadWithoutTouchingItsJobs() {
		this.contextRunner.withPropertyValues("locket.queues.unique.lock=until-executing").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			EnqueueOptions unique = EnqueueOptions.now().queue("unique");
			EnqueueResult first = jobs.enqueue(unique, "work.plain", 1);
			assertThat(record(first).lock()).isEqualTo(LockStrategy.UNTIL_EXECUTING);
			assertThat(jobs.enqueue(unique, "work.plain", 1))
				.isEqualTo(new Duplicate(((Accepted) first).id(), JobState.READY));
			assertThat(jobs.enqueue(unique, "work.plain", 2)).isInstanceOf(Accepted.class);
			assertThat(record(jobs.enqueue("work.plain", 1)).lock()).isEqualTo(LockStrategy.WHILE_EXECUTING);
			assertThat(jobs.enqueue("work.plain", 1)).isInstanceOf(Accepted.class);
		});
	}

	@Test
	void allQueuesAreUniqueByPayload() {
		this.contextRunner
			.withPropertyValues("locket.job.lock=until-executed", "locket.queues.free.lock=none",
					"locket.queues.replacing.on-duplicate=replace")
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				jobs.enqueue("work.plain", 1);
				assertThat(jobs.enqueue(EnqueueOptions.now().queue("other"), "work.plain", 1))
					.isInstanceOf(Duplicate.class);
				assertThat(jobs.enqueue(EnqueueOptions.now().queue("replacing"), "work.plain", 1))
					.isInstanceOf(Replaced.class);
				JobRecord free = record(jobs.enqueue(EnqueueOptions.now().queue("free"), "work.plain", 1));
				assertThat(free.lock()).isEqualTo(LockStrategy.NONE);
				assertThat(free.key()).isNull();
			});
	}

	@Test
	void jobThatNamesItsStrategiesKeepsThemEverywhere() {
		this.contextRunner
			.withPropertyValues("locket.queues.mine.on-conflict=raise", "locket.queues.other.lock=none",
					"locket.queues.other.on-conflict=reschedule")
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				JobRecord own = record(jobs.enqueue(Work.class, (work) -> work.declared(1)));
				assertThat(own.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
				assertThat(own.onConflict()).isEqualTo(ConflictStrategy.RAISE);
				JobRecord other = record(
						jobs.enqueue(Work.class, (work) -> work.declared(2), EnqueueOptions.now().queue("other")));
				assertThat(other.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
				assertThat(other.onConflict()).isEqualTo(ConflictStrategy.RESCHEDULE);
			});
	}

	@Test
	void jobsOfTwoBeansOfOneClassStayTheirOwnInEachQueue() {
		this.contextRunner.withBean("overtime", Work.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			for (String queue : new String[] { "capped", "other" }) {
				for (String job : new String[] { "work.plain", "overtime.plain" }) {
					assertThat(record(jobs.enqueue(EnqueueOptions.now().queue(queue), job, 1)).job()).isEqualTo(job);
				}
			}
		});
	}

	@Test
	void queueInTheKeyMakesAJobUniqueInEachQueue() {
		this.contextRunner.withPropertyValues("locket.job.lock=until-executed").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			for (String queue : new String[] { "a", "b" }) {
				EnqueueOptions there = EnqueueOptions.now().queue(queue);
				assertThat(jobs.enqueue(there, "work.perQueue", 1)).isInstanceOf(Accepted.class);
				assertThat(jobs.enqueue(there, "work.perQueue", 1)).isInstanceOf(Duplicate.class);
			}
			assertThat(jobs.enqueue("work.perQueue", 1)).isInstanceOf(Accepted.class);
		});
	}

	@Test
	void policyThatAJobCannotHaveIsNamed() {
		this.contextRunner
			.withPropertyValues("locket.queues.expiring.lock=until-expired",
					"locket.queues.losing.lock=until-and-while-executing", "locket.queues.losing.on-conflict=reject",
					"locket.queues.rejecting.on-conflict=reject")
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				assertRefused(jobs, "expiring", "work.plain",
						"Job 'work.plain' cannot be enqueued into queue 'expiring': UNTIL_EXPIRED (from"
								+ " locket.queues.expiring.lock) has no period. Write uniqueFor on the job,"
								+ " locket.queues.expiring.unique-for, or another lock strategy there");
				assertRefused(jobs, "losing", "work.plain", "Job 'work.plain' cannot be enqueued into queue 'losing':"
						+ " UNTIL_AND_WHILE_EXECUTING (from locket.queues.losing.lock) with on-conflict REJECT (from"
						+ " locket.queues.losing.on-conflict) would lose the update that waits. Write PARK or"
						+ " RAISE, or UNTIL_EXECUTED");
				assertRefused(jobs, "rejecting", "work.updates",
						"Job 'work.updates' cannot be enqueued into queue 'rejecting': UNTIL_AND_WHILE_EXECUTING (from its"
								+ " @UniqueJob) with on-conflict REJECT (from locket.queues.rejecting.on-conflict)"
								+ " would lose the update that waits. Write PARK or RAISE, or UNTIL_EXECUTED");
				assertThat(jobs.enqueue(EnqueueOptions.now().queue("expiring"), "work.period", 1))
					.isInstanceOf(Accepted.class);
				assertThat(this.queue.queues()).containsExactly("expiring");
			});
	}

	@Test
	void periodIsThatOfTheJobElseOfItsQueueElseOfAllJobs() {
		this.contextRunner
			.withPropertyValues("locket.job.lock=until-expired", "locket.job.unique-for=2h",
					"locket.queues.short.unique-for=1m")
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				assertPeriod(jobs, EnqueueOptions.now(), "work.plain", Duration.ofHours(2));
				assertPeriod(jobs, EnqueueOptions.now().queue("short"), "work.plain", Duration.ofMinutes(1));
				assertPeriod(jobs, EnqueueOptions.now().queue("short"), "work.period", Duration.ofHours(1));
			});
	}

	/**
	 * A period of all jobs also caps tickets, and has no effect on jobs without a ticket.
	 */
	@Test
	void periodOfAllJobsCapsTicketsOnly() {
		this.contextRunner.withPropertyValues("locket.job.unique-for=2h", "locket.queues.free.lock=none")
			.run((context) -> {
				UniqueJobCatalog catalog = context.getBean(UniqueJobCatalog.class);
				assertThat(catalog.find("work.declared").orElseThrow().uniqueFor()).isEqualTo(Duration.ofHours(2));
				assertThat(catalog.find("work.plain").orElseThrow().uniqueFor()).isNull();
			});
	}

	private void assertPeriod(Jobs jobs, EnqueueOptions options, String job, Duration period) {
		assertThat(jobs.enqueue(options, job, (int) period.toSeconds())).isInstanceOf(Accepted.class);
		assertThat(this.queue.steps.get(this.queue.steps.size() - 1)).extracting(NewJob::uniqueFor)
			.containsExactly(period);
	}

	private static void assertRefused(Jobs jobs, String queue, String job, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue(EnqueueOptions.now().queue(queue), job, 1))
			.withMessage(message);
	}

	static class Work {

		@UniqueJob
		public void plain(int id) {
		}

		@UniqueJob(queue = "mine", lock = LockStrategy.UNTIL_EXECUTED)
		public void declared(int id) {
		}

		@UniqueJob(key = "{#queue, #id}")
		public void perQueue(int id) {
		}

		@UniqueJob(uniqueFor = "1h")
		public void period(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING)
		public void updates(int id) {
		}

	}

}
