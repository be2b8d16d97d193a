package io.locket.aop;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.locket.JobContext;
import io.locket.event.CallEnded;
import io.locket.event.JobEventPublisher;
import io.locket.event.JobObservers;
import io.locket.event.JobRun;
import io.locket.event.RunObservation;
import org.jspecify.annotations.Nullable;

/**
 * Tells observers and listeners of the bodies of direct calls. Thread-safe.
 */
final class CallReports {

	private final JobObservers observers;

	private final JobEventPublisher events;

	private final boolean interrupts;

	private final LongSupplier nanoTime;

	/**
	 * Create reports.
	 * @param observers are told of each body
	 * @param events is told of the end of each body
	 * @param interrupts whether bodies are interrupted when their lease is lost
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	CallReports(JobObservers observers, JobEventPublisher events, boolean interrupts, LongSupplier nanoTime) {
		this.observers = observers;
		this.events = events;
		this.interrupts = interrupts;
		this.nanoTime = nanoTime;
	}

	/**
	 * A body is about to run on this thread.
	 * @param call the call
	 * @param lease its lease
	 * @return is told how it goes on
	 */
	Report begin(GuardedCall call, SharedLease lease) {
		JobContext context = lease.context();
		RunObservation observation = this.observers.running(JobRun.direct(context, call.job().maskArguments()));
		return new Report(context, observation, this.nanoTime.getAsLong());
	}

	/**
	 * One body. Only the first of its ends counts.
	 */
	final class Report {

		private final JobContext context;

		private final RunObservation observation;

		private final long startedAt;

		private final AtomicBoolean ended = new AtomicBoolean();

		private Report(JobContext context, RunObservation observation, long startedAt) {
			this.context = context;
			this.observation = observation;
			this.startedAt = startedAt;
		}

		/**
		 * Whether there is anybody who is told how it goes on.
		 */
		boolean isObserved() {
			return this.observation != RunObservation.NONE;
		}

		/**
		 * The thread on which it began goes on to other things.
		 */
		void leave() {
			this.observation.leave();
		}

		/**
		 * It has ended.
		 * @param failure what it failed with, or {@code null}
		 */
		void end(@Nullable Throwable failure) {
			if (!this.ended.compareAndSet(false, true)) {
				return;
			}
			Throwable cause = BodyFailure.causeOf(failure);
			Duration ran = Duration.ofNanos(CallReports.this.nanoTime.getAsLong() - this.startedAt);
			this.observation.end(BodyFailure.outcome(cause, isStopped(cause)), cause);
			CallReports.this.events
				.publish(new CallEnded(this.context.key(), ran, (cause != null) ? nameOf(cause) : null));
		}

		/**
		 * It was cancelled.
		 */
		void cancel() {
			end(new CancellationException("Nobody wants the result any more"));
		}

		/**
		 * A body that is interrupted may fail with anything.
		 */
		private boolean isStopped(@Nullable Throwable cause) {
			return (CallReports.this.interrupts || cause instanceof InterruptedException) && this.context.isLeaseLost();
		}

		private static String nameOf(Throwable failure) {
			return ((failure instanceof CancellationException) ? CancellationException.class : failure.getClass())
				.getName();
		}

	}

}
