package io.locket.aop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.JobContext;
import io.locket.UniqueJob;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for leases in reactive transactions.
 */
class ReactiveTransactionTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final ApplicationContextRunner contextRunner = GuardedContext.runner().withBean("jobs", Jobs.class);

	private final List<String> ends = new CopyOnWriteArrayList<>();

	@Test
	void leaseIsReleasedAfterCommit() {
		this.contextRunner.run((context) -> {
			Mono<String> job = context.getBean(Jobs.class).mono().doOnNext((value) -> this.ends.add("body"));
			assertThat(operator(context).transactional(job).block(BOUND)).isEqualTo("done");
			assertThat(this.ends).containsExactly("body", "commit while held: true");
			assertThat(isHeld(context)).isFalse();
		});
	}

	@Test
	void leaseOfFluxIsReleasedAfterRollback() {
		this.contextRunner.run((context) -> {
			Flux<String> job = context.getBean(Jobs.class).failing();
			assertThatIllegalStateException()
				.isThrownBy(() -> operator(context).transactional(job).collectList().block(BOUND))
				.withMessage("body");
			assertThat(this.ends).containsExactly("rollback while held: true");
			assertThat(isHeld(context)).isFalse();
		});
	}

	@Test
	void leaseIsReleasedAfterCancellation() {
		this.contextRunner.run((context) -> {
			AtomicBoolean running = new AtomicBoolean();
			Disposable subscription = operator(context)
				.transactional(context.getBean(Jobs.class).endless(() -> running.set(true)))
				.subscribe();
			Awaitility.await().untilTrue(running);
			subscription.dispose();
			Awaitility.await().until(() -> !isHeld(context));
			assertThat(this.ends).containsExactly("rollback while held: true");
		});
	}

	@Test
	void leaseIsReleasedAtOnceOutsideOfTransactions() {
		this.contextRunner.run((context) -> {
			Mono<String> job = context.getBean(Jobs.class).mono();
			assertThat(job.map((value) -> value + " " + isHeld(context)).block(BOUND)).isEqualTo("done false");
			assertThat(isHeld(context)).isFalse();
		});
	}

	private TransactionalOperator operator(ApplicationContext context) {
		return TransactionalOperator.create(new RecordingTransactionManager(this.ends, context));
	}

	private static boolean isHeld(ApplicationContext context) {
		return !GuardedContext.leases(context).held(1).isEmpty();
	}

	static class Jobs {

		@UniqueJob
		public Mono<String> mono() {
			return Mono.just("done");
		}

		@UniqueJob
		public Flux<String> failing() {
			return Flux.error(new IllegalStateException("body"));
		}

		@UniqueJob(key = "'one'")
		public Mono<String> endless(Runnable started) {
			JobContext.required();
			return Mono.<String>never().doOnSubscribe((subscription) -> started.run());
		}

	}

	/**
	 * Transaction manager that records whether a key is held when its transactions end.
	 */
	private static final class RecordingTransactionManager extends AbstractReactiveTransactionManager {

		private final List<String> ends;

		private final ApplicationContext context;

		private RecordingTransactionManager(List<String> ends, ApplicationContext context) {
			this.ends = ends;
			this.context = context;
		}

		@Override
		protected Object doGetTransaction(TransactionSynchronizationManager manager) {
			return new Object();
		}

		@Override
		protected Mono<Void> doBegin(TransactionSynchronizationManager manager, Object transaction,
				TransactionDefinition definition) {
			return Mono.empty();
		}

		@Override
		protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return end("commit");
		}

		@Override
		protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return end("rollback");
		}

		private Mono<Void> end(String how) {
			return Mono.fromRunnable(() -> this.ends.add(how + " while held: " + isHeld(this.context)));
		}

	}

}
