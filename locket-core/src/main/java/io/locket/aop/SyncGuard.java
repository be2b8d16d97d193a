package io.locket.aop;

import java.util.Objects;
import java.util.Optional;

import io.locket.aop.call.Admission;
import io.locket.aop.call.BodyRunner;
import io.locket.aop.call.CallReports;
import io.locket.aop.call.GuardedCall;
import io.locket.aop.call.LeaseGate;
import io.locket.aop.call.SharedLease;
import io.locket.aop.call.ThreadLeases;
import io.locket.job.definition.ReturnKind;
import org.jspecify.annotations.Nullable;

/**
 * Guard of calls that have ended when they return.
 */
final class SyncGuard {

	private final LeaseGate gate;

	private final BodyRunner runner;

	private final CallReports reports;

	SyncGuard(LeaseGate gate, BodyRunner runner, CallReports reports) {
		this.gate = gate;
		this.runner = runner;
		this.reports = reports;
	}

	@Nullable Object call(GuardedCall call) throws Throwable {
		SharedLease outer = ThreadLeases.retain(call.key());
		if (outer != null) {
			return runInside(call, outer);
		}
		Admission admission = this.gate.admit(call);
		if (admission instanceof Admission.Admitted admitted) {
			return run(call, admitted.lease());
		}
		if (admission instanceof Admission.Failed failed) {
			throw failed.error();
		}
		if (admission instanceof Admission.Skipped) {
			return (call.returns() == ReturnKind.OPTIONAL) ? Optional.empty() : null;
		}
		return this.runner.runUnguarded(call.invocation()::proceed);
	}

	/**
	 * Runs a nested call, or one after a call whose lease the transaction of the caller
	 * still holds.
	 */
	private @Nullable Object runInside(GuardedCall call, SharedLease lease) throws Throwable {
		try {
			return ended(call, this.runner.run(call.invocation()::proceed, lease));
		}
		finally {
			TransactionEnd.afterwards(lease, lease::release);
		}
	}

	/**
	 * Checks that a result is finished. A result with pending work is refused unless its
	 * declared type shows it.
	 */
	private static @Nullable Object ended(GuardedCall call, @Nullable Object result) {
		if (call.job().lock().leasesDirectCalls() && ReturnKind.isPending(result)) {
			throw new IllegalStateException(
					"Job " + call.key() + " returned a " + Objects.requireNonNull(result).getClass().getTypeName()
							+ ", whose work would outlive the lease, but its method declares "
							+ call.job().method().getReturnType().getTypeName()
							+ ". Declare CompletableFuture, Mono or Flux, or return the finished value");
		}
		return result;
	}

	private @Nullable Object run(GuardedCall call, SharedLease lease) throws Throwable {
		try {
			ThreadLeases.enter(lease);
			return runReported(call, lease);
		}
		finally {
			TransactionEnd.release(lease, () -> ThreadLeases.leave(lease));
		}
	}

	private @Nullable Object runReported(GuardedCall call, SharedLease lease) throws Throwable {
		CallReports.Report report = this.reports.begin(call, lease);
		Throwable failure = null;
		try {
			return ended(call, this.runner.run(call.invocation()::proceed, lease));
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			report.leave();
			report.end(failure);
		}
	}

}
