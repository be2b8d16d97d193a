package io.locket.job;

import java.time.Duration;
import java.time.YearMonth;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.lease.LockRegistryLeaseAutoConfiguration;
import io.locket.lease.Lease;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.JobPage;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.KeyBlocker;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import io.locket.queue.spi.UpdateAction.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for queries of {@link UniqueJobs} about the job or holder that blocks a key.
 */
class KeyBlockersTests {

	private final ChangingQueue queue = new ChangingQueue();

	private int requests;

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(ChangingQueue.class, () -> this.queue)
		.withBean("work", Work.class);

	private ReservedJob take() {
		return this.queue
			.reserve(new ReservationRequest("r" + ++this.requests, "poller", "host", "thread",
					List.of(new QueueLimit("default", 0)), 1))
			.jobs()
			.get(0);
	}

	private void end(RunEnd end) {
		this.queue.settle(List.of(end), null);
	}

	private static void assertThere(UniqueJobs jobs, String job, JobState state, String id) {
		assertThat(jobs.isAvailable(job, 1)).as("%s while %s", job, state).isFalse();
		assertThat(jobs.blocker(job, 1)).hasValueSatisfying((blocker) -> {
			assertThat(blocker.id()).isEqualTo(id);
			assertThat(blocker.state()).isEqualTo(state);
			assertThat(blocker.queue()).isEqualTo("default");
		});
		assertThat(jobs.isAvailable(job, 2)).isTrue();
		assertThat(jobs.blocker(job, 2)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "work.whileExecuting", "work.untilExecuting", "work.untilExecuted",
			"work.untilAndWhileExecuting", "work.capped", "work.untilExpired" })
	void jobIsThereWhileItWaitsAndRuns(String job) {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			assertThat(unique.isAvailable(job, 1)).isTrue();
			EnqueueOptions later = EnqueueOptions.in(Duration.ofHours(1)).id("a");
			jobs.enqueue(later, job, 1);
			assertThere(unique, job, JobState.SCHEDULED, "a");
			this.queue.cancel("a");
			if (!job.equals("work.untilExpired")) {
				assertThat(unique.isAvailable(job, 1)).isTrue();
				jobs.enqueue(EnqueueOptions.now().id("b"), job, 1);
				assertThere(unique, job, JobState.READY, "b");
				ReservedJob running = take();
				assertThere(unique, job, JobState.RUNNING, "b");
				end(RunEnd.retry(running, Duration.ofHours(1), "failed"));
				assertThere(unique, job, JobState.RETRY, "b");
				this.queue.cancel("b");
				assertThat(unique.isAvailable(job, 1)).isTrue();
			}
		});
	}

	@Test
	void jobThatWasParkedIsThereWhenItsKeyIsFree() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue(EnqueueOptions.now().id("a"), "work.whileExecuting", 1);
			jobs.enqueue(EnqueueOptions.now().id("b"), "work.whileExecuting", 1);
			ReservedJob running = take();
			this.queue.reserve(new ReservationRequest("park", "poller", "host", "thread",
					List.of(new QueueLimit("default", 0)), 1));
			this.queue.pause("default");
			end(RunEnd.succeeded(running));
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			assertThat(unique.blocker("work.whileExecuting", 1)).map(KeyBlocker::id).contains("b");
		});
	}

	@Test
	void placeIsThatInItsQueue() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			for (int i = 0; i < 3; i++) {
				jobs.enqueue("work.untilExecuted", 10 + i);
			}
			assertThat(context.getBean(UniqueJobs.class).blocker(Work.class, (work) -> work.untilExecuted(12)))
				.hasValueSatisfying((blocker) -> assertThat(blocker.position()).isEqualTo(2));
		});
	}

	@Test
	void jobWithoutATicketIsFoundInEveryQueue() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			for (int i = 0; i < 1100; i++) {
				jobs.enqueue("work.whileExecuting", 10 + i);
			}
			EnqueueOptions elsewhere = EnqueueOptions.now().queue("elsewhere");
			String id = ((Accepted) jobs.enqueue(Work.class, (work) -> work.whileExecuting(1), elsewhere)).id();
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			assertThat(unique.blocker("work.whileExecuting", 1)).map(KeyBlocker::id).contains(id);
			assertThat(unique.isAvailable("work.whileExecuting", 1109)).isFalse();
			assertThat(unique.isAvailable("work.whileExecuting", 5)).isTrue();
			assertThat(this.queue.counts("default").in(JobState.READY)).isEqualTo(1100);
		});
	}

	@Test
	void jobIsFoundBehindAPageWithoutJobs() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue(EnqueueOptions.now().id("a"), "work.whileExecuting", 1);
			this.queue.firstPageIsEmpty = true;
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			assertThat(unique.blocker("work.whileExecuting", 1)).map(KeyBlocker::id).contains("a");
			assertThat(unique.isAvailable("work.whileExecuting", 2)).isTrue();
		});
	}

	@Test
	void jobIsThereWhenItBecomesReadyDuringTheSearch() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			jobs.enqueue("work.whileExecuting", 2);
			jobs.enqueue(EnqueueOptions.in(Duration.ofHours(1)).id("a"), "work.whileExecuting", 1);
			this.queue.beforeListing.put(JobState.SCHEDULED, () -> runNow("a"));
			assertThat(unique.blocker("work.whileExecuting", 1)).map(KeyBlocker::state).contains(JobState.READY);
		});
	}

	@Test
	void jobIsThereWhenItStartsDuringTheSearch() {
		this.contextRunner.run((context) -> {
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			context.getBean(Jobs.class).enqueue(EnqueueOptions.now().id("a"), "work.cappedUntilExecuting", 1);
			JobKey key = unique.keyOf("work.cappedUntilExecuting", 1);
			while (this.queue.blocker(key, false).isPresent()) {
				Thread.onSpinWait();
			}
			this.queue.beforeListing.put(JobState.READY, this::take);
			assertThat(unique.isAvailable("work.cappedUntilExecuting", 1)).isFalse();
			assertThat(unique.isAvailable("work.cappedUntilExecuting", 1)).isFalse();
		});
	}

	@Test
	void jobIsThereWhenItsRunFailsDuringTheSearch() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("work.untilExecuting", 1);
			ReservedJob running = take();
			this.queue.beforeListing.put(JobState.RUNNING,
					() -> end(RunEnd.retry(running, Duration.ofHours(1), "failed")));
			assertThat(context.getBean(UniqueJobs.class).blocker("work.untilExecuting", 1)).map(KeyBlocker::state)
				.contains(JobState.RETRY);
		});
	}

	private void runNow(String id) {
		assertThat(this.queue.update(new UpdateAction(Kind.RUN_NOW, null, "step"), List.of(ExpectedJob.of(id))))
			.containsExactly(UpdateResult.DONE);
	}

	@Test
	void periodOfAnEarlierStrategyBlocksNothing() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue(EnqueueOptions.now().id("a"), "work.untilExpired", 1);
			end(RunEnd.succeeded(take()));
			assertThat(context.getBean(UniqueJobs.class).isAvailable("work.untilExpired", 1)).isFalse();
		});
		GuardedContext.runner()
			.withBean(ChangingQueue.class, () -> this.queue)
			.withBean("work", ChangedWork.class)
			.run((context) -> {
				UniqueJobs unique = context.getBean(UniqueJobs.class);
				assertThat(unique.blocker("work.untilExpired", 1)).isEmpty();
				assertThat(unique.isAvailable("work.untilExpired", 1)).isTrue();
				assertThat(context.getBean(Jobs.class).enqueue("work.untilExpired", 1)).isInstanceOf(Accepted.class);
			});
	}

	@Test
	void directCallIsThere() {
		this.contextRunner.run((context) -> {
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			try (Lease other = GuardedContext.take(context, "work.whileExecuting", 1)) {
				assertThat(unique.blocker("work.whileExecuting", 1)).hasValueSatisfying((blocker) -> {
					assertThat(blocker.id()).isNull();
					assertThat(other.isHeld()).isTrue();
					assertThat(blocker.holder()).isNotNull();
				});
				assertThat(unique.isAvailable("work.whileExecuting", 1)).isFalse();
			}
			assertThat(unique.isAvailable("work.whileExecuting", 1)).isTrue();
			context.getBean(Work.class).untilExpired(1);
			assertThat(unique.isAvailable("work.untilExpired", 1)).isFalse();
		});
	}

	@Test
	void withoutAQueueLeasesAreChecked() {
		GuardedContext.runner().withBean("work", Work.class).run((context) -> {
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			assertThat(unique.blocker("work.untilExecuted", 1)).isEmpty();
			try (Lease other = GuardedContext.take(context, "work.untilExecuted", 1)) {
				assertThat(unique.blocker("work.untilExecuted", 1)).map(KeyBlocker::holder).isPresent();
				assertThat(other.isHeld()).isTrue();
			}
			assertThat(unique.isAvailable("work.untilExecuting", 1)).isTrue();
		});
	}

	@Test
	void lockRegistryThatCannotReportHoldersIsUnsupported() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
					LockRegistryLeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
			.withPropertyValues("locket.lease.store=lock-registry")
			.withBean(LockRegistry.class, DefaultLockRegistry::new)
			.withBean("plain", Plain.class)
			.run((context) -> {
				UniqueJobs unique = context.getBean(UniqueJobs.class);
				assertThatExceptionOfType(UnsupportedOperationException.class)
					.isThrownBy(() -> unique.isAvailable("plain.run", 1, null))
					.withMessageContaining("lock-registry");
				context.getBean(Plain.class)
					.run(1, () -> assertThat(unique.isAvailable("plain.run", 1, null)).isFalse());
			});
	}

	@Test
	void jobWithoutALockIsAlwaysAvailable() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("work.ordinary", 1);
			assertThat(context.getBean(UniqueJobs.class).isAvailable("work.ordinary", 1)).isTrue();
			assertThat(context.getBean(UniqueJobs.class).blocker("work.ordinary", 1)).isEmpty();
		});
	}

	@Test
	void recordedCallIsAvailableAsItsName() {
		this.contextRunner.run((context) -> {
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			assertThat(unique.keyOf(Work.class, (work) -> work.inMonth(YearMonth.of(2026, 5))))
				.isEqualTo(unique.keyOf("work.inMonth", YearMonth.of(2026, 5)));
			context.getBean(Jobs.class).enqueue("work.inMonth", "2026-05");
			assertThat(unique.isAvailable(Work.class, (work) -> work.inMonth(YearMonth.of(2026, 5)))).isFalse();
			assertThat(unique.isAvailable(Work.class, (work) -> work.inMonth(YearMonth.of(2026, 6)))).isTrue();
			assertThatIllegalArgumentException().isThrownBy(() -> unique.isAvailable(Work.class, Work::hashCode))
				.withMessageStartingWith("No call of KeyBlockersTests.Work was recorded");
		});
	}

	@Test
	void queueOfTheCallCounts() {
		this.contextRunner
			.withPropertyValues("locket.queues.free.lock=none", "locket.queues.unique.lock=until-executed")
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				UniqueJobs unique = context.getBean(UniqueJobs.class);
				jobs.enqueue(EnqueueOptions.now().queue("a"), "work.perQueue", 1);
				assertThat(unique.inQueue("a").isAvailable("work.perQueue", 1)).isFalse();
				assertThat(unique.inQueue("b").isAvailable("work.perQueue", 1)).isTrue();
				assertThat(unique.isAvailable("work.perQueue", 1)).isTrue();
				assertThat(unique.inQueue("a").keyOf("work.perQueue", 1).text()).contains("\"a\"");
				jobs.enqueue(EnqueueOptions.now().queue("unique"), "work.plain", 1);
				Optional<KeyBlocker> blocker = unique.inQueue("unique").blocker("work.plain", 1);
				assertThat(blocker).map(KeyBlocker::position).contains(0L);
				assertThat(unique.inQueue("free").isAvailable("work.plain", 1)).isTrue();
				assertThatIllegalArgumentException().isThrownBy(() -> unique.inQueue("in voices"));
			});
	}

	/**
	 * Queue that changes before the jobs of a state are listed.
	 */
	private static final class ChangingQueue extends FailingQueue {

		private final Map<JobState, Runnable> beforeListing = new EnumMap<>(JobState.class);

		/**
		 * Whether the first page of each list has no jobs, as a page of Redis may.
		 */
		private boolean firstPageIsEmpty;

		@Override
		public JobPage list(JobQuery listing) {
			Runnable change = this.beforeListing.remove(listing.state());
			if (change != null) {
				change.run();
			}
			if (!this.firstPageIsEmpty) {
				return super.list(listing);
			}
			return (listing.cursor() == null) ? new JobPage(List.of(), "second")
					: super.list(new JobQuery(listing.state(), listing.queue(), listing.job(), listing.digest(),
							listing.limit(), null));
		}

	}

	static class Plain {

		@UniqueJob(key = "#id")
		public void run(int id, Runnable body) {
			body.run();
		}

	}

	/**
	 * A later version of {@link Work}.
	 */
	static class ChangedWork {

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
		public void untilExpired(int id) {
		}

	}

	static class Work {

		@UniqueJob
		public void plain(int id) {
		}

		@UniqueJob(lock = LockStrategy.WHILE_EXECUTING)
		public void whileExecuting(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING)
		public void untilExecuting(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
		public void untilExecuted(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING)
		public void untilAndWhileExecuting(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, uniqueFor = "1ms")
		public void capped(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, uniqueFor = "1ms")
		public void cappedUntilExecuting(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		public void untilExpired(int id) {
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void ordinary(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
		public void inMonth(YearMonth month) {
		}

		@UniqueJob(key = "{#queue, #id}", lock = LockStrategy.UNTIL_EXECUTED)
		public void perQueue(int id) {
		}

	}

}
