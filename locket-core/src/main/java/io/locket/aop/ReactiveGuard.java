package io.locket.aop;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import io.locket.aop.call.Admission;
import io.locket.aop.call.BodyRunner;
import io.locket.aop.call.CallReports;
import io.locket.aop.call.GuardedCall;
import io.locket.aop.call.LeaseGate;
import io.locket.aop.call.SharedLease;
import io.locket.aop.call.ThreadLeases;
import io.locket.job.definition.ReturnKind;
import io.locket.lease.heartbeat.FallbackExecution;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * Guard of calls that return a {@code Mono} or {@code Flux}. Each subscription takes its
 * own lease, runs the method, and releases the lease when the returned publisher has
 * ended or was cancelled. Bodies run on {@link Schedulers#boundedElastic()}. Releases
 * have an executor of their own, and waits need no thread. Loaded only if Reactor is
 * available.
 */
final class ReactiveGuard {

	private final LeaseGate gate;

	private final BodyRunner runner;

	private final CallReports reports;

	private final Executor releases;

	ReactiveGuard(LeaseGate gate, BodyRunner runner, CallReports reports, Executor releases) {
		this.gate = gate;
		this.runner = runner;
		this.reports = reports;
		this.releases = releases;
	}

	Object call(GuardedCall call) {
		if (call.returns() == ReturnKind.MONO) {
			return Mono
				.deferContextual((context) -> Mono.usingWhen(admission(call, context), (entry) -> mono(call, entry),
						ReactiveEntry::release, (entry, error) -> entry.release(), ReactiveEntry::release));
		}
		return Flux.deferContextual((context) -> Flux.usingWhen(admission(call, context), (entry) -> flux(call, entry),
				ReactiveEntry::release, (entry, error) -> entry.release(), ReactiveEntry::release));
	}

	/**
	 * Removes the context of an enclosing body from the pipeline of an unguarded one.
	 * @param publisher a Mono or Flux, or {@code null}
	 * @return the same kind of publisher
	 */
	static @Nullable Object unguarded(@Nullable Object publisher) {
		if (publisher instanceof Mono<?> mono) {
			return mono.contextWrite((context) -> context.delete(JobContext.class));
		}
		if (publisher instanceof Flux<?> flux) {
			return flux.contextWrite((context) -> context.delete(JobContext.class));
		}
		return publisher;
	}

	/**
	 * Returns the admission of a subscription. It is called on the subscribing thread.
	 * Inside a lease of the same key, of this thread or of the subscriber's pipeline, no
	 * lease is requested.
	 */
	private Mono<ReactiveEntry> admission(GuardedCall call, ContextView context) {
		ReactiveEntry enclosing = context.getOrDefault(ReactiveEntry.class, null);
		SharedLease outer = ThreadLeases.retain(call.key());
		if (outer == null && enclosing != null) {
			outer = enclosing.retain(call.key());
		}
		return (outer != null) ? Mono.just(ReactiveEntry.nested(outer, enclosing, this.releases))
				: admit(call, enclosing);
	}

	/**
	 * Requests an admission. A wait needs no thread, so it delays neither other calls nor
	 * releases. Without a thread for the request, the subscription fails.
	 */
	private Mono<ReactiveEntry> admit(GuardedCall call, @Nullable ReactiveEntry enclosing) {
		boolean waits = call.job().onConflict() == ConflictStrategy.WAIT;
		Function<Admission, ReactiveEntry> entry = (admission) -> new ReactiveEntry(admission, enclosing,
				this.releases);
		return Mono.create((sink) -> {
			ReactiveAdmission admission = new ReactiveAdmission(sink);
			sink.onCancel(admission::cancel);
			FallbackExecution.execute(Schedulers.boundedElastic()::schedule, () -> {
				if (waits) {
					admission.await(() -> this.gate.attemptAsync(call),
							(attempt, failure) -> entry.apply(this.gate.admit(call, attempt, failure)));
				}
				else {
					admission.admit(() -> entry.apply(this.gate.admit(call)));
				}
			}, admission::fail);
		});
	}

	private Mono<Object> mono(GuardedCall call, ReactiveEntry entry) {
		SharedLease lease = entry.lease();
		return Mono.defer(() -> {
			Mono<Object> body;
			try {
				body = monoOf(call, entry).map((value) -> value);
			}
			catch (Throwable ex) {
				return Mono.error(Exceptions.unwrap(ex));
			}
			// The race begins after the method, so that no cancellation releases before.
			return (lease != null && this.runner.interrupts()) ? Mono.firstWithSignal(body, loss(lease)) : body;
		}).contextWrite((context) -> enter(context, entry));
	}

	private Flux<Object> flux(GuardedCall call, ReactiveEntry entry) {
		Flux<Object> body = Flux.<Object>defer(() -> {
			try {
				return fluxOf(call, entry).map((value) -> value);
			}
			catch (Throwable ex) {
				return Flux.error(Exceptions.unwrap(ex));
			}
		}).contextWrite((context) -> enter(context, entry));
		SharedLease lease = entry.lease();
		if (lease == null || !this.runner.interrupts()) {
			return body;
		}
		// Only the end of the other publisher cancels the body, not an error.
		Sinks.Empty<Object> error = Sinks.empty();
		Mono<Object> loss = loss(lease).doOnError(error::tryEmitError).onErrorComplete();
		return body.doOnComplete(error::tryEmitEmpty).takeUntilOther(loss).concatWith(error.asMono());
	}

	private Mono<?> monoOf(GuardedCall call, ReactiveEntry entry) {
		if (!entry.begin()) {
			return Mono.empty();
		}
		SharedLease lease = entry.lease();
		if (lease == null || entry.isNested()) {
			return (Mono<?>) invoke(call, entry);
		}
		Reported reported = invokeReported(call, entry, this.reports.begin(call, lease));
		CallReports.Report report = reported.report();
		return ((Mono<?>) reported.publisher()).doOnSuccess((value) -> report.end(null))
			.doOnError(report::end)
			.doOnCancel(report::cancel)
			.contextWrite(reported.thread());
	}

	private Flux<?> fluxOf(GuardedCall call, ReactiveEntry entry) {
		if (!entry.begin()) {
			return Flux.empty();
		}
		SharedLease lease = entry.lease();
		if (lease == null || entry.isNested()) {
			return (Flux<?>) invoke(call, entry);
		}
		Reported reported = invokeReported(call, entry, this.reports.begin(call, lease));
		CallReports.Report report = reported.report();
		return ((Flux<?>) reported.publisher()).doOnComplete(() -> report.end(null))
			.doOnError(report::end)
			.doOnCancel(report::cancel)
			.contextWrite(reported.thread());
	}

	private Reported invokeReported(GuardedCall call, ReactiveEntry entry, CallReports.Report report) {
		try {
			Object publisher = invoke(call, entry);
			Reported reported = new Reported(publisher, report,
					report.isObserved() ? CapturedContext.ofThread() : Context.empty());
			report.leave();
			return reported;
		}
		catch (RuntimeException | Error ex) {
			report.fail(Exceptions.unwrap(ex));
			throw ex;
		}
	}

	/**
	 * Runs the method, unless the call is refused. Its callers signal each error, because
	 * Reactor would throw some errors instead, which leaves the lease without an end.
	 */
	private Object invoke(GuardedCall call, ReactiveEntry entry) {
		Admission admission = entry.admission();
		if (admission instanceof Admission.Failed failed) {
			throw failed.error();
		}
		if (admission instanceof Admission.Skipped) {
			return (call.returns() == ReturnKind.MONO) ? Mono.empty() : Flux.empty();
		}
		try {
			return Objects.requireNonNull(run(call, entry), () -> "Job " + call.key() + " returned null");
		}
		catch (Throwable ex) {
			throw Exceptions.propagate(ex);
		}
	}

	private @Nullable Object run(GuardedCall call, ReactiveEntry entry) throws Throwable {
		MethodInvocation invocation = ((ProxyMethodInvocation) call.invocation()).invocableClone();
		// Inner aspects find the invocation on the proceeding thread.
		BodyRunner.Body body = () -> ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
		SharedLease lease = entry.lease();
		if (lease == null) {
			return this.runner.runUnguarded(body);
		}
		ThreadLeases.enter(lease);
		try {
			return this.runner.run(body, lease);
		}
		finally {
			ThreadLeases.leave(lease);
		}
	}

	/**
	 * Returns a publisher that fails when the lease is lost, on another thread than the
	 * one that detects it.
	 */
	private static Mono<Object> loss(SharedLease lease) {
		JobContext context = lease.context();
		return Mono.<Object>create((sink) -> sink.onDispose(lease.onLost(() -> {
			LeaseLossCause cause = context.lossCause();
			if (cause != null) {
				sink.error(new LeaseLostException(context.key(), cause));
			}
		})::run)).publishOn(Schedulers.boundedElastic());
	}

	private static Context enter(Context context, ReactiveEntry entry) {
		SharedLease lease = entry.lease();
		return (lease != null) ? context.put(JobContext.class, lease.context()).put(ReactiveEntry.class, entry)
				: context.delete(JobContext.class);
	}

	/**
	 * Result of a body.
	 *
	 * @param publisher the Mono or Flux
	 * @param report the report about the body
	 * @param thread the context of the body's thread
	 */
	private record Reported(Object publisher, CallReports.Report report, ContextView thread) {

	}

}
