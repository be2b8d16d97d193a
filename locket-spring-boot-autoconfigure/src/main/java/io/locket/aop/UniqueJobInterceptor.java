package io.locket.aop;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.event.JobEventPublisher;
import io.locket.event.JobObservers;
import io.locket.job.ReturnKind;
import io.locket.job.UniqueJobCatalog;
import io.locket.job.UniqueJobDefinition;
import io.locket.key.JobCall;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Guards direct calls of {@link io.locket.UniqueJob} methods, and lets the calls of
 * workers pass, whose runs have their leases. The key is evaluated once for each call,
 * before anything runs; an error there is the caller's. Thread-safe.
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

	private final Executor waits;

	/**
	 * Create an interceptor.
	 * @param catalog the jobs
	 * @param keys makes their keys
	 * @param leases the lease service, asked for at the first call
	 * @param onLost what a lost lease means to the body
	 * @param onUnavailable what to do when the store gives no answer
	 * @param calls is told of the calls that run
	 * @param refused takes refused calls that are to be enqueued
	 * @param observers are told of each body
	 * @param events is told of ends and refusals
	 * @param releases runs the releases of results that arrive later; they block
	 * @param waits runs what waits for a key on behalf of threads that must not
	 */
	public UniqueJobInterceptor(UniqueJobCatalog catalog, JobKeys keys, Supplier<LeaseService> leases, OnLost onLost,
			OnUnavailable onUnavailable, RunningCalls calls, RefusedCalls refused, JobObservers observers,
			JobEventPublisher events, Executor releases, Executor waits) {
		this.catalog = catalog;
		this.releases = releases;
		this.waits = waits;
		this.keys = keys;
		this.gate = new LeaseGate(leases, onUnavailable, calls, refused, events, System::nanoTime);
		this.runner = new BodyRunner(onLost);
		this.reports = new CallReports(observers, events, this.runner.interrupts(), System::nanoTime);
		this.syncGuard = new SyncGuard(this.gate, this.runner, this.reports);
		this.futureGuard = new FutureGuard(this.gate, this.runner, this.reports, releases);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		UniqueJobDefinition job = this.catalog.find(invocation);
		QueuedInvocation queued = QueuedInvocation.take(job.name());
		if (queued != null) {
			return queued.proceed(invocation, ReturnKind.of(job.method()));
		}
		if (!job.lock().guardsDirectCalls()) {
			return this.runner.runUnguarded(invocation::proceed);
		}
		JobKey key = this.keys.keyOf(JobCall.of(job.name(), job.queue(), job.method(), invocation.getArguments()),
				job.keyGenerator(), job.maskArguments());
		GuardedCall call = new GuardedCall(job, key, ReturnKind.of(job.method()), invocation);
		return switch (call.returns()) {
			case STAGE -> this.futureGuard.call(call);
			case MONO, FLUX ->
				new ReactiveGuard(this.gate, this.runner, this.reports, this.releases, this.waits).call(call);
			default -> this.syncGuard.call(call);
		};
	}

}
