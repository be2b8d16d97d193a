package io.locket.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.EnqueueRefusedException;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.event.EnqueueRefused;
import io.locket.event.JobEventListener;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.observer.EnqueueCall;
import io.locket.observer.EnqueueObservation;
import io.locket.observer.JobObserver;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Deferred;
import io.locket.queue.EnqueueResult.Refused;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.NewJob;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link EnqueueGuard}.
 */
class EnqueueGuardsTests {

	private final FailingQueue queue = new FailingQueue();

	private final List<EnqueueRefused> refusals = new CopyOnWriteArrayList<>();

	private final List<String> outcomes = new CopyOnWriteArrayList<>();

	private final First first = new First();

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(FailingQueue.class, () -> this.queue)
		.withBean("second", EnqueueGuard.class,
				() -> (job) -> Optional.of("refused by the second guard")
					.filter((reason) -> job.arguments().contains("13") || job.arguments().contains("14")))
		.withBean(First.class, () -> this.first)
		.withBean(JobEventListener.class, () -> (event) -> {
			if (event instanceof EnqueueRefused refused) {
				this.refusals.add(refused);
			}
		})
		.withBean(JobObserver.class, () -> new JobObserver() {

			@Override
			public EnqueueObservation enqueuing(EnqueueCall call) {
				return new EnqueueObservation() {

					@Override
					public void end(String outcome, Throwable failure) {
						EnqueueGuardsTests.this.outcomes.add(outcome);
					}

				};
			}

		})
		.withBean("work", Work.class);

	@Test
	void jobThatIsRefusedByCallOrByNameIsNotSent() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.enqueue(Work.class, (work) -> work.run(13))).isEqualTo(new Refused("no 13"));
			assertThat(jobs.enqueue(EnqueueOptions.now().queue("other").id("mine"), "work.run", 14))
				.isEqualTo(new Refused("refused by the second guard"));
			assertThat(this.queue.steps).isEmpty();
			assertThat(jobs.enqueue("work.run", 1)).isInstanceOf(Accepted.class);
			assertThat(this.outcomes).containsExactly("refused", "refused", "accepted");
			assertThat(this.refusals).hasSize(2);
			assertThat(this.refusals.get(1))
				.isEqualTo(new EnqueueRefused("mine", "work.run", "other", "refused by the second guard"));
			assertThat(this.first.seen).extracting(NewJob::arguments).containsExactly("[13]", "[14]", "[1]");
			assertThat(this.first.seen).allSatisfy((job) -> assertThat(job.key()).isNotNull());
		});
	}

	@Test
	void refusedJobsOfManyHaveResultsInTheirPlaces() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			List<EnqueueResult> results = jobs.enqueueAll(requests(1, 13, 2));
			assertThat(results).extracting(Object::getClass)
				.containsExactly(Accepted.class, Refused.class, Accepted.class);
			assertThat(this.queue.sent()).containsExactly("[1]", "[2]");
			assertThat(this.outcomes).containsExactly("mixed");
			assertThat(jobs.enqueueAll(requests(13, 14))).containsExactly(new Refused("no 13"),
					new Refused("refused by the second guard"));
			this.queue.replies = 0;
			assertThatExceptionOfType(BulkEnqueueException.class).isThrownBy(() -> jobs.enqueueAll(requests(13, 5)))
				.satisfies((ex) -> {
					assertThat(ex.getResults()).containsExactly(new Refused("no 13"));
					assertThat(ex.getRemaining()).hasSize(1);
				});
		});
	}

	@Test
	void jobThatWouldWaitForTheCommitIsRefusedAtTheCall() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.setActualTransactionActive(true);
			try {
				assertThat(jobs.enqueue("work.run", 13)).isEqualTo(new Refused("no 13"));
				assertThat(jobs.enqueue("work.run", 1)).isInstanceOf(Deferred.class);
				assertThat(jobs.enqueueAll(requests(13, 2))).extracting(Object::getClass)
					.containsExactly(Refused.class, Deferred.class);
			}
			finally {
				TransactionSynchronizationManager.clear();
			}
			assertThat(this.queue.steps).isEmpty();
		});
	}

	@Test
	@SuppressWarnings("try")
	void directCallThatWouldBeEnqueuedFailsIfItIsRefused() {
		this.contextRunner.run((context) -> {
			Work work = context.getBean(Work.class);
			try (Lease other = GuardedContext.take(context, "work.park", 13);
					Lease another = GuardedContext.take(context, "work.park", 1)) {
				assertThatExceptionOfType(EnqueueRefusedException.class).isThrownBy(() -> work.park(13))
					.withMessage("Job 'work.park' was not enqueued, because a guard refused it: no 13")
					.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo("no 13"));
				assertThat(this.queue.steps).isEmpty();
				work.park(1);
				assertThat(this.queue.sent()).containsExactly("[1]");
			}
		});
	}

	@Test
	void firingThatIsRefusedIsAFailureAndATriggerAResult() {
		this.contextRunner.run((context) -> {
			JobTemplates templates = new JobTemplates(context.getBean(UniqueJobs.class), context.getBean(JobKeys.class),
					context.getBean(ArgumentCodec.class), context.getBean(JobEnqueuer.class));
			JobTemplate template = templates.template(JobRequest.of("work.run", 13));
			assertThat(this.first.seen).isEmpty();
			assertThatExceptionOfType(EnqueueRefusedException.class).isThrownBy(() -> templates.job(template, "a"))
				.withMessageContaining("no 13");
			assertThat(this.refusals).isEmpty();
			assertThat(templates.enqueue(template, this.queue::enqueue)).isEqualTo(new Refused("no 13"));
			assertThat(this.refusals).hasSize(1);
			JobTemplate other = templates.template(JobRequest.of("work.run", 1));
			assertThat(templates.job(other, "b").id()).isEqualTo("b");
			assertThat(templates.enqueue(other, this.queue::enqueue)).isInstanceOf(Accepted.class);
		});
	}

	@Test
	void whatAGuardThrowsIsTheCallersAndNothingIsSent() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			this.first.failure = new IllegalStateException("The quota cannot be read");
			assertThatIllegalStateException().isThrownBy(() -> jobs.enqueue("work.run", 1))
				.isSameAs(this.first.failure);
			assertThatIllegalStateException().isThrownBy(() -> jobs.enqueueAll(requests(1, 2)))
				.isSameAs(this.first.failure);
			assertThat(this.queue.steps).isEmpty();
			assertThat(this.outcomes).containsExactly("failed", "failed");
		});
	}

	private static List<JobRequest> requests(int... numbers) {
		List<JobRequest> requests = new ArrayList<>();
		for (int number : numbers) {
			requests.add(JobRequest.of("work.run", number));
		}
		return requests;
	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class First implements EnqueueGuard {

		private final List<NewJob> seen = new CopyOnWriteArrayList<>();

		private volatile RuntimeException failure;

		@Override
		public Optional<String> refusal(NewJob job) {
			if (this.failure != null) {
				throw this.failure;
			}
			this.seen.add(job);
			return job.arguments().contains("13") ? Optional.of("no 13") : Optional.empty();
		}

	}

	static class Work {

		@UniqueJob
		public void run(int number) {
			throw new IllegalStateException("Unexpected run of " + number);
		}

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public void park(int number) {
			throw new IllegalStateException("Unexpected run of " + number);
		}

	}

}
