package io.locket.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Guards calls that return a {@link CompletionStage}: the lease is held until that ends,
 * and for as long as the caller's transaction is open. The thread has the lease only
 * while the method runs.
 */
final class FutureGuard {

	private final LeaseGate gate;

	private final BodyRunner runner;

	private final Executor releases;

	FutureGuard(LeaseGate gate, BodyRunner runner, Executor releases) {
		this.gate = gate;
		this.runner = runner;
		this.releases = releases;
	}

	@Nullable Object call(GuardedCall call) throws Throwable {
		SharedLease outer = ThreadLeases.retain(call.key());
		if (outer != null) {
			return run(call, outer, () -> {
			});
		}
		Admission admission = this.gate.ask(call);
		if (admission instanceof Admission.Admitted admitted) {
			SharedLease lease = admitted.lease();
			ThreadLeases.enter(lease);
			return run(call, lease, () -> ThreadLeases.leave(lease));
		}
		if (admission instanceof Admission.Failed failed) {
			return CompletableFuture.failedFuture(failed.error());
		}
		if (admission instanceof Admission.Skipped) {
			return CompletableFuture.completedFuture(null);
		}
		return this.runner.runUnguarded(call.invocation()::proceed);
	}

	private @Nullable Object run(GuardedCall call, SharedLease lease, Runnable leave) throws Throwable {
		boolean pending = false;
		boolean inTransaction = false;
		try {
			Object result = this.runner.run(call.invocation()::proceed, lease);
			if (!(result instanceof CompletionStage<?> stage) || isDone(stage)) {
				return result;
			}
			inTransaction = TransactionSynchronizationManager.isSynchronizationActive() && lease.retain();
			pending = true;
			return follow(stage, lease);
		}
		finally {
			if (pending) {
				leave.run();
				if (inTransaction) {
					TransactionEnd.afterwards(lease::release);
				}
			}
			else if (lease.isPeriod()) {
				leave.run();
				lease.release();
			}
			else {
				TransactionEnd.afterwards(() -> {
					leave.run();
					lease.release();
				});
			}
		}
	}

	private CompletableFuture<?> follow(CompletionStage<?> stage, SharedLease lease) {
		ReleasingFuture<?> future = new ReleasingFuture<>(stage, () -> release(lease));
		if (this.runner.interrupts()) {
			Runnable silence = lease.onLost(() -> future.lose(lease.context()));
			stage.whenComplete((ended, error) -> silence.run());
		}
		return future;
	}

	private CompletableFuture<@Nullable Void> release(SharedLease lease) {
		try {
			return CompletableFuture.runAsync(lease::release, this.releases);
		}
		catch (RejectedExecutionException ex) {
			// The context is closed: nobody else is left to release it.
			lease.release();
			return CompletableFuture.completedFuture(null);
		}
	}

	private static boolean isDone(CompletionStage<?> stage) {
		return stage instanceof CompletableFuture<?> future && future.isDone();
	}

}
