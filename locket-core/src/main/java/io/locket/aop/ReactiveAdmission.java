package io.locket.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.locket.lease.LeaseAttempt;
import io.locket.lease.heartbeat.FallbackExecution;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * Request for the admission of a subscription, on a thread that may block. The reply and
 * a cancellation may come in any order; the later one releases the lease. A cancellation
 * ends a wait. Loaded only if Reactor is available. Thread-safe.
 */
final class ReactiveAdmission {

	private static final Log logger = LogFactory.getLog(ReactiveAdmission.class);

	private final MonoSink<ReactiveEntry> sink;

	private boolean cancelled;

	private @Nullable Future<?> wait;

	private @Nullable ReactiveEntry entry;

	ReactiveAdmission(MonoSink<ReactiveEntry> sink) {
		this.sink = sink;
	}

	/**
	 * Requests an admission that is available when the request returns.
	 * @param request the request, which blocks for a command of the store
	 */
	void admit(Supplier<ReactiveEntry> request) {
		if (!isCancelled()) {
			deliver(request);
		}
	}

	/**
	 * Requests an admission that may be available later. No thread waits for it.
	 * @param request begins the wait, and blocks for its first attempt
	 * @param admission converts the reply or a failure to the admission
	 */
	void await(Supplier<CompletableFuture<LeaseAttempt>> request,
			BiFunction<@Nullable LeaseAttempt, @Nullable Throwable, ReactiveEntry> admission) {
		if (isCancelled()) {
			return;
		}
		try {
			CompletableFuture<LeaseAttempt> attempt = request.get();
			boolean here = attempt.isDone();
			if (!begin(attempt)) {
				attempt.cancel(true);
			}
			attempt.whenComplete((result, failure) -> {
				if (!attempt.isCancelled()) {
					Supplier<ReactiveEntry> admitted = () -> admission.apply(result, failure);
					if (here) {
						deliver(admitted);
					}
					else {
						deliverElsewhere(admitted);
					}
				}
			});
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	/**
	 * Delivers an admission on another thread than the one that ends the wait, because
	 * the body runs there. Without such a thread, the lease is released and the call
	 * fails.
	 */
	private void deliverElsewhere(Supplier<ReactiveEntry> request) {
		FallbackExecution.execute(Schedulers.boundedElastic()::schedule, () -> deliver(request), (failure) -> {
			request.get().release().subscribe();
			fail(failure);
		});
	}

	private void deliver(Supplier<ReactiveEntry> request) {
		try {
			ReactiveEntry entry = request.get();
			if (keep(entry)) {
				this.sink.success(entry);
			}
			else {
				entry.release().subscribe();
			}
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	void fail(Throwable failure) {
		if (isCancelled()) {
			logger.debug("A cancelled call received no lease", failure);
		}
		else {
			this.sink.error(failure);
		}
	}

	private synchronized boolean begin(Future<?> attempt) {
		this.wait = attempt;
		return !this.cancelled;
	}

	private synchronized boolean isCancelled() {
		return this.cancelled;
	}

	private synchronized boolean keep(ReactiveEntry entry) {
		this.entry = entry;
		return !this.cancelled;
	}

	/**
	 * Cancels the request. A sink notifies of the cancellation of a subscription only
	 * while its value was not delivered.
	 */
	void cancel() {
		ReactiveEntry entry;
		Future<?> waiting;
		synchronized (this) {
			this.cancelled = true;
			entry = this.entry;
			waiting = this.wait;
		}
		if (entry != null) {
			entry.release().subscribe();
		}
		else if (waiting != null) {
			waiting.cancel(true);
		}
	}

}
