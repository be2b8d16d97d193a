package io.locket.job;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.lease.Lease;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Deferred;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.PayloadTooLargeException;
import io.locket.queue.QueueUnavailableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for jobs that are enqueued in a transaction.
 */
@ExtendWith(OutputCaptureExtension.class)
class CommittedJobsTests {

	private static final EmbeddedDatabase DATABASE = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
		.generateUniqueName(true)
		.build();

	private final DataSourceTransactionManager transactions = new DataSourceTransactionManager(DATABASE);

	private final FailingQueue queue = new FailingQueue();

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withUserConfiguration(TransactionConfiguration.class)
		.withBean(PlatformTransactionManager.class, () -> this.transactions)
		.withBean(FailingQueue.class, () -> this.queue)
		.withBean("mail", Mail.class)
		.withBean("late", Late.class);

	@AfterAll
	static void close() {
		DATABASE.shutdown();
	}

	private void run(Consumer<Jobs> test) {
		this.contextRunner.run((context) -> test.accept(context.getBean(Jobs.class)));
	}

	private TransactionTemplate transaction(int propagation) {
		return new TransactionTemplate(this.transactions, new DefaultTransactionDefinition(propagation));
	}

	private <T> T inTransaction(Supplier<T> action) {
		return transaction(TransactionDefinition.PROPAGATION_REQUIRED).execute((status) -> action.get());
	}

	private static Deferred send(Jobs jobs, String text) {
		return (Deferred) jobs.enqueue(Mail.class, (mail) -> mail.send(text));
	}

	private static CompletableFuture<EnqueueResult> result(EnqueueResult deferred) {
		return ((Deferred) deferred).result().toCompletableFuture();
	}

	@Test
	void jobsAreEnqueuedAfterTheCommitInOneCallAndInOrder() {
		run((jobs) -> {
			List<EnqueueResult> replies = inTransaction(() -> {
				List<EnqueueResult> deferred = new ArrayList<>();
				deferred.add(send(jobs, "a"));
				deferred.add(jobs.enqueue("mail.send", "b"));
				deferred.addAll(jobs.enqueueAll(List.of(JobRequest.of("mail.send", "c"))));
				assertThat(deferred).allSatisfy((reply) -> assertThat(result(reply)).isNotDone());
				assertThat(this.queue.steps).isEmpty();
				return deferred;
			});
			assertThat(this.queue.steps).hasSize(1);
			assertThat(this.queue.sent()).containsExactly("[\"a\"]", "[\"b\"]", "[\"c\"]");
			assertThat(replies).allSatisfy(
					(reply) -> assertThat(result(reply)).isCompletedWithValue(new Accepted(((Deferred) reply).id())));
		});
	}

	@Test
	void keyAndArgumentsAreThoseOfTheCall() {
		run((jobs) -> {
			List<String> recipients = new ArrayList<>(List.of("a"));
			Deferred first = inTransaction(() -> {
				Deferred deferred = (Deferred) jobs.enqueue(Mail.class, (mail) -> mail.sendAll(recipients));
				recipients.add("b");
				return deferred;
			});
			assertThat(this.queue.find(first.id()).orElseThrow()).satisfies((job) -> {
				assertThat(job.arguments()).isEqualTo("[[\"a\"]]");
				assertThat(job.key().text()).contains("a").doesNotContain("b");
			});
		});
	}

	@Test
	void jobsOfTwoContextsInOneTransactionGoToTheQueuesOfTheirContexts() {
		FailingQueue second = new FailingQueue();
		run((jobs) -> GuardedContext.runner()
			.withBean(FailingQueue.class, () -> second)
			.withBean("mail", Mail.class)
			.run((context) -> inTransaction(() -> {
				send(jobs, "a");
				send(context.getBean(Jobs.class), "b");
				return send(jobs, "c");
			})));
		assertThat(this.queue.sent()).containsExactly("[\"a\"]", "[\"c\"]");
		assertThat(second.sent()).containsExactly("[\"b\"]");
	}

	@Test
	void leaseThatIsHeldUntilTheEndOfTheTransactionIsReleasedAfterItsJobsAreEnqueued() {
		this.contextRunner.run((context) -> {
			List<Integer> held = new ArrayList<>();
			this.queue.onEnqueue = () -> held.add(GuardedContext.leases(context).held(2).size());
			inTransaction(() -> {
				context.getBean(Mail.class).parking("a");
				return send(context.getBean(Jobs.class), "b");
			});
			assertThat(held).containsExactly(1);
			assertThat(GuardedContext.leases(context).held(2)).isEmpty();
		});
	}

	@Test
	void moreThanAStepIsSentInSteps() {
		run((jobs) -> {
			inTransaction(() -> IntStream.range(0, 250).mapToObj((i) -> send(jobs, "x" + i)).toList());
			assertThat(this.queue.steps).extracting(List::size).containsExactly(100, 100, 50);
			assertThat(this.queue.sent()).element(249).isEqualTo("[\"x249\"]");
		});
	}

	@Test
	void nothingIsEnqueuedAfterARollback() {
		run((jobs) -> {
			Deferred deferred = transaction(TransactionDefinition.PROPAGATION_REQUIRED).execute((status) -> {
				status.setRollbackOnly();
				return send(jobs, "a");
			});
			assertThat(this.queue.steps).isEmpty();
			assertThat(result(deferred).handle((reply, failure) -> failure).join())
				.isInstanceOf(CancellationException.class)
				.hasMessageContaining("was rolled back, so it is not enqueued")
				.hasMessageContaining("mail.send");
		});
	}

	@Test
	void unknownOutcomeEnqueuesNothingAndFailsTheStage(CapturedOutput output) {
		run((jobs) -> {
			Deferred deferred = inTransaction(() -> {
				Deferred reply = send(jobs, "secret");
				List<TransactionSynchronization> all = TransactionSynchronizationManager.getSynchronizations();
				all.forEach((each) -> each.afterCompletion(TransactionSynchronization.STATUS_UNKNOWN));
				TransactionSynchronizationManager.clearSynchronization();
				TransactionSynchronizationManager.initSynchronization();
				return reply;
			});
			assertThat(this.queue.steps).isEmpty();
			assertFails(deferred, IllegalStateException.class, "The outcome of the transaction is unknown");
			assertThat(output).contains(deferred.id()).contains("mail.send").doesNotContain("secret");
		});
	}

	@Test
	void anotherThreadMayEndTheTransaction() {
		run((jobs) -> {
			Deferred deferred = inTransaction(() -> {
				Deferred reply = send(jobs, "a");
				List<TransactionSynchronization> all = TransactionSynchronizationManager.getSynchronizations();
				CompletableFuture.runAsync(
						() -> all.forEach((each) -> each.afterCompletion(TransactionSynchronization.STATUS_COMMITTED)))
					.join();
				TransactionSynchronizationManager.clearSynchronization();
				TransactionSynchronizationManager.initSynchronization();
				return reply;
			});
			assertThat(this.queue.sent()).containsExactly("[\"a\"]");
			assertThat(result(deferred)).isCompletedWithValue(new Accepted(deferred.id()));
		});
	}

	@Test
	void jobOfATransactionThatIsOverAlreadyIsNotForgotten() {
		run((jobs) -> {
			Deferred late = inTransaction(() -> {
				send(jobs, "a");
				List<TransactionSynchronization> all = TransactionSynchronizationManager.getSynchronizations();
				all.forEach((each) -> each.afterCompletion(TransactionSynchronization.STATUS_ROLLED_BACK));
				return send(jobs, "b");
			});
			assertThat(result(late)).isCancelled();
		});
	}

	@Test
	void whatCallbacksEnqueueAfterTheCommitIsEnqueued() {
		run((jobs) -> {
			List<EnqueueResult> late = new ArrayList<>();
			inTransaction(() -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCommit(boolean readOnly) {
						late.add(jobs.enqueue("mail.send", "before commit"));
					}

					@Override
					public void afterCommit() {
						late.add(jobs.enqueue("mail.send", "after commit"));
					}

					@Override
					public void afterCompletion(int status) {
						late.add(jobs.enqueue("mail.send", "after completion"));
					}

				});
				return "";
			});
			assertThat(this.queue.sent()).containsExactlyInAnyOrder("[\"before commit\"]", "[\"after commit\"]",
					"[\"after completion\"]");
			assertThat(late.subList(0, 2)).allSatisfy(
					(reply) -> assertThat(result(reply)).isCompletedWithValueMatching(Accepted.class::isInstance));
			assertThat(late.get(2)).isInstanceOf(Accepted.class);
		});
	}

	@Test
	void callbackAfterTheCommitIsTheFirstToEnqueue() {
		run((jobs) -> {
			inTransaction(() -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						jobs.enqueue("mail.send", "after commit");
					}

				});
				return "";
			});
			assertThat(this.queue.sent()).containsExactly("[\"after commit\"]");
		});
	}

	@Test
	void listenerAfterTheCommitEnqueues() {
		this.contextRunner.run((context) -> {
			inTransaction(() -> {
				context.publishEvent(new Registered("ada"));
				return "";
			});
			assertThat(this.queue.sent()).containsExactly("[\"welcome ada\"]");
			transaction(TransactionDefinition.PROPAGATION_REQUIRED).execute((status) -> {
				context.publishEvent(new Registered("bob"));
				status.setRollbackOnly();
				return "";
			});
			assertThat(this.queue.sent()).hasSize(1);
		});
	}

	@Test
	void transactionInsideAnotherHasItsOwnJobs() {
		run((jobs) -> {
			TransactionTemplate inner = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			transaction(TransactionDefinition.PROPAGATION_REQUIRED).execute((outer) -> {
				Deferred first = send(jobs, "outer 1");
				inner.executeWithoutResult((status) -> send(jobs, "inner"));
				assertThat(this.queue.sent()).containsExactly("[\"inner\"]");
				inner.executeWithoutResult((status) -> {
					send(jobs, "rolled back");
					status.setRollbackOnly();
				});
				transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED).executeWithoutResult(
						(status) -> assertThat(jobs.enqueue("mail.send", "none")).isInstanceOf(Accepted.class));
				assertThat(result(first)).isNotDone();
				return send(jobs, "outer 2");
			});
			assertThat(this.queue.sent()).containsExactly("[\"inner\"]", "[\"none\"]", "[\"outer 1\"]",
					"[\"outer 2\"]");
		});
	}

	@Test
	void rollbackToASavepointUndoesWhatWasEnqueuedSince() {
		run((jobs) -> {
			TransactionTemplate nested = transaction(TransactionDefinition.PROPAGATION_NESTED);
			List<EnqueueResult> undone = new ArrayList<>();
			inTransaction(() -> {
				nested.executeWithoutResult((status) -> {
					undone.add(send(jobs, "first of all, undone"));
					status.setRollbackOnly();
				});
				send(jobs, "kept 1");
				nested.executeWithoutResult((status) -> send(jobs, "kept 2"));
				nested.executeWithoutResult((status) -> {
					undone.add(send(jobs, "undone"));
					nested.executeWithoutResult((deeper) -> undone.add(send(jobs, "undone with it")));
					status.setRollbackOnly();
				});
				return send(jobs, "kept 3");
			});
			assertThat(this.queue.sent()).containsExactly("[\"kept 1\"]", "[\"kept 2\"]", "[\"kept 3\"]");
			assertThat(undone).hasSize(3).allSatisfy((reply) -> assertThat(result(reply)).isCancelled());
		});
	}

	@Test
	void callbackThatEnqueuesAtTheRollbackToASavepointUndoesNoRollback() {
		run((jobs) -> {
			TransactionTemplate nested = transaction(TransactionDefinition.PROPAGATION_NESTED);
			List<EnqueueResult> undone = new ArrayList<>();
			List<EnqueueResult> instead = new ArrayList<>();
			inTransaction(() -> {
				send(jobs, "kept");
				nested.executeWithoutResult((status) -> {
					undone.add(send(jobs, "undone 1"));
					undone.add(send(jobs, "undone 2"));
					result(undone.get(0)).whenComplete((result, failure) -> instead.add(send(jobs, "instead")));
					status.setRollbackOnly();
				});
				return instead;
			});
			assertThat(this.queue.sent()).containsExactly("[\"kept\"]", "[\"instead\"]");
			assertThat(undone).hasSize(2).allSatisfy((job) -> assertThat(result(job)).isCancelled());
			assertThat(instead).hasSize(1)
				.allSatisfy((job) -> assertThat(result(job)).isCompletedWithValueMatching(Accepted.class::isInstance));
		});
	}

	@Test
	void readOnlyTransactionIsWaitedForToo() {
		run((jobs) -> {
			TransactionTemplate template = transaction(TransactionDefinition.PROPAGATION_REQUIRED);
			template.setReadOnly(true);
			Deferred deferred = template.execute((status) -> send(jobs, "a"));
			assertThat(result(deferred)).isCompletedWithValue(new Accepted(deferred.id()));
		});
	}

	@Test
	void withoutATransactionJobsAreEnqueuedAtOnce() {
		run((jobs) -> transaction(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult((status) -> {
			assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isTrue();
			assertThat(jobs.enqueue("mail.send", "a")).isInstanceOf(Accepted.class);
		}));
	}

	@Test
	void callOptsOutAndSoDoesTheApplication() {
		run((jobs) -> inTransaction(() -> {
			assertThat(jobs.enqueue(Mail.class, (mail) -> mail.send("a"), EnqueueOptions.now().immediate()))
				.isInstanceOf(Accepted.class);
			List<EnqueueResult> both = jobs.enqueueAll(List.of(JobRequest.of("mail.send", "later"),
					JobRequest.of("mail.send", "b").with(EnqueueOptions.now().immediate().id("b"))));
			assertThat(both.get(0)).isInstanceOf(Deferred.class);
			assertThat(both.get(1)).isEqualTo(new Accepted("b"));
			assertThat(this.queue.sent()).containsExactly("[\"a\"]", "[\"b\"]");
			return "";
		}));
		this.contextRunner.withPropertyValues("locket.queue.after-commit=false")
			.run((context) -> inTransaction(() -> assertThat(context.getBean(Jobs.class).enqueue("mail.send", "c"))
				.isInstanceOf(Accepted.class)));
	}

	/**
	 * The caller may repeat the call in another transaction, so none of its jobs may stay
	 * behind in this one.
	 */
	@Test
	void failureOfJobsThatDoNotWaitLeavesNoneBehindThatWaits() {
		run((jobs) -> {
			this.queue.replies = 0;
			List<JobRequest> requests = List.of(JobRequest.of("mail.send", "later"),
					JobRequest.of("mail.send", "now").with(EnqueueOptions.now().immediate()));
			List<JobRequest> remaining = inTransaction(() -> {
				BulkEnqueueException failure = catchThrowableOfType(BulkEnqueueException.class,
						() -> jobs.enqueueAll(requests));
				assertThat(failure.getResults()).isEmpty();
				this.queue.replies = Integer.MAX_VALUE;
				return failure.getRemaining();
			});
			assertThat(this.queue.sent()).containsExactly("[\"now\"]");
			assertThat(jobs.enqueueAll(remaining)).hasSize(2).hasOnlyElementsOfType(Accepted.class);
			assertThat(this.queue.counts("default").accepted()).isEqualTo(2);
		});
	}

	@Test
	void duplicateIsTheResultOfTheStage(CapturedOutput output) {
		run((jobs) -> {
			jobs.enqueue("mail.raising", "secret");
			List<EnqueueResult> replies = inTransaction(
					() -> List.of(send(jobs, "a"), send(jobs, "a"), jobs.enqueue("mail.raising", "secret"),
							jobs.enqueueAll(List.of(JobRequest.of("mail.raising", "secret"))).get(0)));
			assertThat(result(replies.get(1)))
				.isCompletedWithValue(new Duplicate(((Deferred) replies.get(0)).id(), JobState.READY));
			assertFails(replies.get(2), DuplicateJobException.class, "already exists");
			assertThat(result(replies.get(3))).isCompletedWithValueMatching(Duplicate.class::isInstance);
			assertThat(output).contains(((Deferred) replies.get(2)).id()).doesNotContain("secret");
		});
	}

	@Test
	void failureOfTheStoreAfterTheCommitFailsTheStageAndIsLogged(CapturedOutput output) {
		run((jobs) -> {
			this.queue.replies = 1;
			List<Deferred> replies = inTransaction(
					() -> IntStream.range(0, 250).mapToObj((i) -> send(jobs, "secret" + i)).toList());
			assertThat(this.queue.steps).hasSize(2);
			assertThat(replies.subList(0, 100)).allSatisfy(
					(reply) -> assertThat(result(reply)).isCompletedWithValueMatching(Accepted.class::isInstance));
			replies.subList(100, 200)
				.forEach((reply) -> assertFails(reply, QueueUnavailableException.class, "gave no reply"));
			replies.subList(200, 250)
				.forEach((reply) -> assertFails(reply, IllegalStateException.class, "are not enqueued"));
			replies.subList(100, 250).forEach((reply) -> assertThat(output).contains(reply.id()));
			assertThat(output).doesNotContain(replies.get(0).id()).contains("mail.send").doesNotContain("secret");
		});
	}

	@Test
	void largeJobsHaveTheResultsOfTheirOwnStep() {
		run((jobs) -> {
			this.queue.replies = 1;
			List<Deferred> deferred = inTransaction(
					() -> IntStream.range(0, 20).mapToObj((i) -> send(jobs, i + "x".repeat(100_000))).toList());
			assertThat(this.queue.steps).extracting(List::size).containsExactly(10, 10);
			assertThat(deferred.subList(0, 10))
				.allSatisfy((job) -> assertThat(result(job)).isCompletedWithValueMatching(Accepted.class::isInstance));
			deferred.subList(10, 20)
				.forEach((job) -> assertFails(job, QueueUnavailableException.class, "gave no reply"));
		});
	}

	@Test
	void errorOfTheStoreAfterTheCommitFailsTheStageAndIsLogged(CapturedOutput output) {
		run((jobs) -> {
			this.queue.onEnqueue = () -> {
				throw new NoClassDefFoundError("for a test");
			};
			Deferred deferred = inTransaction(() -> send(jobs, "secret"));
			assertThat(result(deferred)).isCompletedExceptionally();
			assertFails(deferred, NoClassDefFoundError.class, "for a test");
			assertThat(output).contains(deferred.id()).contains("mail.send").doesNotContain("secret");
		});
	}

	@Test
	void jobsThatAreLostAreNamedInLinesOfBearableLength(CapturedOutput output) {
		run((jobs) -> {
			this.queue.replies = 0;
			List<Deferred> replies = inTransaction(
					() -> IntStream.range(0, 450).mapToObj((i) -> send(jobs, "x" + i)).toList());
			replies.forEach((reply) -> assertThat(output).contains(reply.id()));
			assertThat(output.getAll().lines().filter((line) -> line.contains("mail.send"))).hasSize(5)
				.allSatisfy((line) -> assertThat(line.split("mail.send")).hasSizeLessThanOrEqualTo(101));
		});
	}

	private static void assertFails(EnqueueResult reply, Class<? extends Throwable> type, String message) {
		assertThatExceptionOfType(CompletionException.class).isThrownBy(result(reply)::join)
			.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOf(type).hasMessageContaining(message));
	}

	@Test
	void whatCannotBeEnqueuedIsRefusedAtTheCall() {
		this.contextRunner.withPropertyValues("locket.queue.max-payload=40B").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			inTransaction(() -> {
				assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("mail.unknown"));
				assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("mail.send", 1, 2));
				assertThatExceptionOfType(PayloadTooLargeException.class)
					.isThrownBy(() -> jobs.enqueue("mail.send", "x".repeat(50)));
				return send(jobs, "fits");
			});
			assertThat(this.queue.sent()).containsExactly("[\"fits\"]");
		});
	}

	@Test
	void refusedCallThatParksWaitsForTheTransactionOfItsCaller() {
		this.contextRunner.run((context) -> {
			try (Lease other = GuardedContext.take(context, "mail.parking", "a")) {
				assertThat(other).isNotNull();
				for (boolean commit : new boolean[] { false, true }) {
					transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult((status) -> {
						context.getBean(Mail.class).parking("a");
						assertThat(this.queue.steps).isEmpty();
						if (!commit) {
							status.setRollbackOnly();
						}
					});
				}
				assertThat(this.queue.sent()).containsExactly("[\"a\"]");
			}
		});
	}

	@Test
	void transactionThatJoinsACompletedOneFailsTheStage() {
		run((jobs) -> {
			List<EnqueueResult> late = new ArrayList<>();
			inTransaction(() -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int status) {
						late.add(inTransaction(() -> send(jobs, "too late to commit")));
					}

				});
				return "";
			});
			assertThat(this.queue.sent()).isEmpty();
			assertFails(late.get(0), IllegalStateException.class, "The outcome of the transaction is unknown");
		});
	}

	@Test
	void callbackOfAStageMayBeginATransactionOfItsOwn() {
		run((jobs) -> {
			TransactionTemplate own = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			List<EnqueueResult> late = new ArrayList<>();
			inTransaction(() -> send(jobs, "a").result()
				.thenAccept((reply) -> own.executeWithoutResult((status) -> late.add(send(jobs, "b")))));
			assertThat(this.queue.sent()).containsExactly("[\"a\"]", "[\"b\"]");
			assertThat(result(late.get(0))).isCompletedWithValueMatching(Accepted.class::isInstance);
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionConfiguration {

	}

	record Registered(String name) {

	}

	static class Late {

		private final Jobs jobs;

		Late(Jobs jobs) {
			this.jobs = jobs;
		}

		@TransactionalEventListener
		void on(Registered event) {
			this.jobs.enqueue(Mail.class, (mail) -> mail.send("welcome " + event.name()));
		}

	}

	static class Mail {

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
		public void send(String text) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
		public void sendAll(List<String> recipients) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.RAISE, maskArguments = "true")
		public void raising(String text) {
		}

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public void parking(String text) {
		}

	}

}
