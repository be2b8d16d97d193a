package io.locket.aop.call;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.locket.JobContext;
import io.locket.event.CallEnded;
import io.locket.event.publish.JobEventPublisher;
import io.locket.observer.JobObservers;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import org.jspecify.annotations.Nullable;

/**
 * Reports about the bodies of direct calls to observers and listeners. Thread-safe.
 */
public final class CallReports {

	private final JobObservers observers;

	private final JobEventPublisher events;

	private final boolean interrupts;

	private final LongSupplier nanoTime;

	/**
	 * Creates reports.
	 * @param observers the observers of each body
	 * @param events the publisher of the end of each body
	 * @param interrupts whether bodies are interrupted when their lease is lost
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public CallReports(JobObservers observers, JobEventPublisher events, boolean interrupts, LongSupplier nanoTime) {
		this.observers = observers;
		this.events = events;
		this.interrupts = interrupts;
		this.nanoTime = nanoTime;
	}

	/**
	 * Begins the report about a body that is about to run on this thread.
	 * @param call the call
	 * @param lease its lease
	 * @return the report
	 */
	public Report begin(GuardedCall call, SharedLease lease) {
		JobContext context = lease.context();
		RunObservation observation = this.observers.running(JobRun.direct(context, call.job().maskArguments()));
		return new Report(context, observation, this.nanoTime.getAsLong());
	}

	/**
	 * Report about one body. Only its first end counts.
	 */
	public final class Report {

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
		 * Returns whether the body has an observer.
		 * @return whether the body has an observer
		 */
		public boolean isObserved() {
			return this.observation != RunObservation.NONE;
		}

		/**
		 * Detaches the report from the thread on which it began.
		 */
		public void leave() {
			this.observation.leave();
		}

		/**
		 * Reports the end of the body.
		 * @param failure the failure of the body, or {@code null}
		 */
		public void end(@Nullable Throwable failure) {
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
		 * Detaches the report from the thread on which it began, and reports that the
		 * body has failed there.
		 * @param failure the failure of the body
		 */
		public void fail(Throwable failure) {
			leave();
			end(failure);
		}

		/**
		 * Reports that the body was cancelled.
		 */
		public void cancel() {
			end(new CancellationException("The subscription was cancelled"));
		}

		/**
		 * Returns whether the body was stopped. An interrupted body may fail with any
		 * exception.
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
