package io.locket.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.locket.aop.call.Admission;
import io.locket.aop.call.BodyRunner;
import io.locket.aop.call.CallReports;
import io.locket.aop.call.GuardedCall;
import io.locket.aop.call.LeaseGate;
import io.locket.aop.call.Releases;
import io.locket.aop.call.SharedLease;
import io.locket.aop.call.ThreadLeases;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Guard of calls that return a {@link CompletionStage}. The lease is held until the stage
 * ends and the caller's transaction has completed. The thread is inside the lease only
 * while the method runs.
 */
final class FutureGuard {

	private final LeaseGate gate;

	private final BodyRunner runner;

	private final CallReports reports;

	private final Executor releases;

	FutureGuard(LeaseGate gate, BodyRunner runner, CallReports reports, Executor releases) {
		this.gate = gate;
		this.runner = runner;
		this.reports = reports;
		this.releases = releases;
	}

	@Nullable Object call(GuardedCall call) throws Throwable {
		SharedLease outer = ThreadLeases.retain(call.key());
		if (outer != null) {
			return run(call, outer, true);
		}
		Admission admission = this.gate.admit(call);
		if (admission instanceof Admission.Admitted admitted) {
			return run(call, admitted.lease(), false);
		}
		if (admission instanceof Admission.Failed failed) {
			return CompletableFuture.failedFuture(failed.error());
		}
		if (admission instanceof Admission.Skipped) {
			return CompletableFuture.completedFuture(null);
		}
		return this.runner.runUnguarded(call.invocation()::proceed);
	}

	/**
	 * Runs the body, with a report unless it runs inside another body of its key.
	 */
	private @Nullable Object run(GuardedCall call, SharedLease lease, boolean nested) throws Throwable {
		Runnable leave = nested ? () -> {
		} : () -> ThreadLeases.leave(lease);
		boolean followed = false;
		try {
			CallReports.Report report = nested ? null : enter(call, lease);
			Object result = runReported(call, lease, report);
			if (!(result instanceof CompletionStage<?> stage) || isDone(stage)) {
				end(report, result);
				return result;
			}
			CompletableFuture<?> future = follow(stage, lease, report);
			followed = true;
			return future;
		}
		finally {
			if (followed) {
				leave.run();
			}
			else {
				TransactionEnd.release(lease, leave);
			}
		}
	}

	private CallReports.Report enter(GuardedCall call, SharedLease lease) {
		ThreadLeases.enter(lease);
		return this.reports.begin(call, lease);
	}

	private @Nullable Object runReported(GuardedCall call, SharedLease lease, CallReports.@Nullable Report report)
			throws Throwable {
		if (report == null) {
			return this.runner.run(call.invocation()::proceed, lease);
		}
		try {
			Object result = this.runner.run(call.invocation()::proceed, lease);
			report.leave();
			return result;
		}
		catch (Throwable ex) {
			report.fail(ex);
			throw ex;
		}
	}

	private static void end(CallReports.@Nullable Report report, @Nullable Object result) {
		if (report == null) {
			return;
		}
		if (result instanceof CompletionStage<?> stage) {
			stage.whenComplete((ended, error) -> report.end(error));
		}
		else {
			report.end(null);
		}
	}

	/**
	 * Releases the lease when a pending stage has ended and the transaction has
	 * completed.
	 */
	private CompletableFuture<?> follow(CompletionStage<?> stage, SharedLease lease,
			CallReports.@Nullable Report report) {
		if (TransactionSynchronizationManager.isSynchronizationActive() && lease.retain()) {
			TransactionEnd.afterwards(lease, lease::release);
		}
		ReleasingFuture<?> future = new ReleasingFuture<>(stage, (error) -> {
			if (report != null) {
				report.end(error);
			}
			return Releases.run(this.releases, lease::release);
		});
		if (this.runner.interrupts()) {
			Runnable silence = lease.onLost(() -> future.lose(lease.context()));
			stage.whenComplete((ended, error) -> silence.run());
		}
		return future;
	}

	/**
	 * Returns whether a stage is known to have ended. The minimal stages of the JDK do
	 * not support the question.
	 */
	private static boolean isDone(CompletionStage<?> stage) {
		try {
			return stage instanceof CompletableFuture<?> future && future.isDone();
		}
		catch (UnsupportedOperationException ex) {
			return false;
		}
	}

}
