package io.locket.aop;

import java.util.concurrent.Executor;

import io.locket.JobKey;
import io.locket.aop.call.BodyRunner;
import io.locket.aop.call.CallReports;
import io.locket.aop.call.GuardedCall;
import io.locket.aop.call.LeaseGate;
import io.locket.aop.call.OnLost;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.job.definition.ReturnKind;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.key.JobKeys;
import io.locket.observer.JobObservers;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Interceptor that guards direct calls of {@link io.locket.UniqueJob} methods. Calls by
 * workers pass, because their runs have their leases. The key is evaluated once for each
 * call, before anything runs, and the caller receives an error of the evaluation.
 * Thread-safe.
 */
public final class UniqueJobInterceptor implements MethodInterceptor {

	private final UniqueJobCatalog catalog;

	private final JobKeys keys;

	private final LeaseGate gate;

	private final BodyRunner runner;

	private final CallReports reports;

	private final SyncGuard syncGuard;

	private final FutureGuard futureGuard;

	private final Executor releases;

	/**
	 * Creates an interceptor.
	 * @param catalog the jobs
	 * @param keys the factory of keys
	 * @param gate the gate that each call enters with a lease
	 * @param onLost the effect of a lost lease on the body
	 * @param observers the observers of each body
	 * @param events the publisher of ends and refusals
	 * @param releases the executor of the releases of asynchronous results, which block
	 */
	public UniqueJobInterceptor(UniqueJobCatalog catalog, JobKeys keys, LeaseGate gate, OnLost onLost,
			JobObservers observers, JobEventPublisher events, Executor releases) {
		this.catalog = catalog;
		this.releases = releases;
		this.keys = keys;
		this.gate = gate;
		this.runner = new BodyRunner(onLost);
		this.reports = new CallReports(observers, events, this.runner.interrupts(), System::nanoTime);
		this.syncGuard = new SyncGuard(this.gate, this.runner, this.reports);
		this.futureGuard = new FutureGuard(this.gate, this.runner, this.reports, releases);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		UniqueJobDefinition job = this.catalog.find(invocation);
		QueuedInvocation queued = QueuedInvocation.take(job, invocation, (args) -> keyOf(job, args));
		if (queued != null) {
			return queued.proceed(invocation, ReturnKind.of(job.method()));
		}
		if (!job.lock().guardsDirectCalls()) {
			Object result = this.runner.runUnguarded(invocation::proceed);
			return ReturnKind.of(job.method()).isReactive() ? ReactiveGuard.unguarded(result) : result;
		}
		GuardedCall call = new GuardedCall(job, keyOf(job, invocation.getArguments()), ReturnKind.of(job.method()),
				invocation);
		return switch (call.returns()) {
			case STAGE -> this.futureGuard.call(call);
			case MONO, FLUX -> new ReactiveGuard(this.gate, this.runner, this.reports, this.releases).call(call);
			default -> this.syncGuard.call(call);
		};
	}

	private JobKey keyOf(UniqueJobDefinition job, @Nullable Object[] args) {
		return job.key(job.call(job.queue(), args), this.keys);
	}

}
