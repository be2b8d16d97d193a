package io.locket.aop;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.UniqueJob;
import io.locket.aop.call.Admission;
import io.locket.aop.call.SharedLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.heartbeat.LeaseJobContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReactiveAdmission}, with a scheduler that may be unable to start a
 * thread.
 */
class ReactiveAdmissionTests {

	private final TestLeaseService leases = new TestLeaseService();

	private final AtomicInteger releases = new AtomicInteger();

	private final CompletableFuture<LeaseAttempt> attempt = new CompletableFuture<>();

	private final List<Runnable> queued = new ArrayList<>();

	private Runnable failure = () -> {
	};

	@BeforeEach
	void replaceScheduler() {
		Schedulers.setFactory(new Schedulers.Factory() {

			@Override
			public Scheduler newBoundedElastic(int threads, int tasks, ThreadFactory factory, int ttlSeconds) {
				return new FailingScheduler();
			}

		});
	}

	@AfterEach
	void resetScheduler() {
		Schedulers.resetFactory();
	}

	@Test
	void leaseIsReleasedIfTheSchedulerIsShutDown() {
		this.failure = () -> {
			throw new RejectedExecutionException("shut down");
		};
		CompletableFuture<ReactiveEntry> entry = admit();
		grant();
		assertThat(failureOf(entry)).isInstanceOf(RejectedExecutionException.class);
		assertThat(this.releases).hasValue(1);
	}

	@Test
	void leaseIsReleasedOnceIfNoThreadCanBeStarted() {
		this.failure = () -> {
			throw new OutOfMemoryError("unable to create native thread");
		};
		CompletableFuture<ReactiveEntry> entry = admit();
		grant();
		assertThat(failureOf(entry)).isInstanceOf(OutOfMemoryError.class);
		this.queued.forEach(Runnable::run);
		assertThat(this.releases).hasValue(1);
	}

	@Test
	void leaseIsDeliveredToTheSubscriber() {
		CompletableFuture<ReactiveEntry> entry = admit();
		grant();
		assertThat(entry).isNotDone();
		this.queued.forEach(Runnable::run);
		assertThat(entry).isCompleted();
		assertThat(this.releases).hasValue(0);
	}

	@Test
	void methodDoesNotRunForASubscriberThatHasFailedBecauseNoThreadCanBeStarted() {
		GuardedContext.runner().withBean(Jobs.class).run((context) -> {
			this.failure = () -> {
				throw new OutOfMemoryError("unable to create native thread");
			};
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(failureOf(jobs.run().toFuture())).isInstanceOf(OutOfMemoryError.class);
			assertThat(this.queued).hasSize(1).allSatisfy(Runnable::run);
			assertThat(GuardedContext.leases(context).requests()).isEmpty();
			assertThat(jobs.runs()).isZero();
		});
	}

	@Test
	void waitThatBeginsDuringTheCancellationIsCancelled() {
		Mono.<ReactiveEntry>create((sink) -> {
			ReactiveAdmission admission = new ReactiveAdmission(sink);
			admission.await(() -> {
				admission.cancel();
				return this.attempt;
			}, this::entry);
		}).subscribe();
		assertThat(this.attempt).isCancelled();
	}

	private CompletableFuture<ReactiveEntry> admit() {
		return Mono.<ReactiveEntry>create((sink) -> new ReactiveAdmission(sink).await(() -> this.attempt, this::entry))
			.toFuture();
	}

	private ReactiveEntry entry(@Nullable LeaseAttempt result, @Nullable Throwable error) {
		return new ReactiveEntry(admission(Objects.requireNonNull(result)), null, Runnable::run);
	}

	private Admission admission(LeaseAttempt result) {
		Lease lease = ((LeaseAttempt.Acquired) result).lease();
		return new Admission.Admitted(
				new SharedLease(lease, new LeaseJobContext(lease), this.releases::incrementAndGet));
	}

	private void grant() {
		this.attempt.complete(this.leases.attempt(LeaseRequest.of(this.leases.keyOf("job"))));
	}

	private static @Nullable Throwable failureOf(CompletableFuture<?> entry) {
		return entry.handle((value, error) -> error).getNow(null);
	}

	static class Jobs {

		private final AtomicInteger runs = new AtomicInteger();

		public int runs() {
			return this.runs.get();
		}

		@UniqueJob
		public Mono<Integer> run() {
			return Mono.just(this.runs.incrementAndGet());
		}

	}

	/**
	 * Scheduler that queues tasks, as an executor that cannot start a thread does.
	 */
	private final class FailingScheduler implements Scheduler {

		@Override
		public Disposable schedule(Runnable task) {
			ReactiveAdmissionTests.this.queued.add(task);
			ReactiveAdmissionTests.this.failure.run();
			return Disposables.disposed();
		}

		@Override
		public Worker createWorker() {
			throw new UnsupportedOperationException();
		}

	}

}
