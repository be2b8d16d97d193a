package io.locket.worker.run;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.locket.JobTimeoutException;
import io.locket.aop.QueuedInvocation;
import io.locket.lease.heartbeat.LossInterrupt;
import io.locket.lease.heartbeat.RunLease;
import io.locket.log.QuietWarnings;
import io.locket.observer.JobObservers;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;
import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.run.RunningBody.Interruption;
import io.locket.worker.settings.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runner of jobs on the calling thread. Thread-safe.
 */
public final class JobRunner {

	private static final Log logger = LogFactory.getLog(JobRunner.class);

	private final JobHandlers handlers;

	private final UnknownJobs unknown;

	private final WorkerSettings settings;

	private final RunningBodies bodies;

	private final JobObservers observers;

	private final DoubleSupplier random;

	private final UnsupportedRecords unsupported;

	private final QuietWarnings warnings;

	public JobRunner(JobHandlers handlers, UnknownJobs unknown, WorkerSettings settings, RunningBodies bodies,
			JobObservers observers, DoubleSupplier random, LongSupplier nanoTime) {
		this.handlers = handlers;
		this.unknown = unknown;
		this.settings = settings;
		this.bodies = bodies;
		this.observers = observers;
		this.random = random;
		this.unsupported = new UnsupportedRecords(settings.deferDelay(), random, nanoTime);
		this.warnings = new QuietWarnings(logger, nanoTime);
	}

	/**
	 * Runs a job, unless it cannot run here.
	 * @param run the run, with its lease
	 * @return its end
	 */
	public RunEnd run(HeldRun run) {
		ReservedJob job = run.job();
		JobRecord record = job.record();
		Optional<RunEnd> deferred = this.unsupported.defer(job);
		if (deferred.isPresent()) {
			return deferred.get();
		}
		JobHandler handler = this.handlers.find(record.job()).orElse(null);
		if (handler == null) {
			return unknown(job);
		}
		Attempt attempt = new Attempt(job, handler, this.settings.retry(), this.random.getAsDouble());
		if (job.conflict() != null) {
			return attempt.refused();
		}
		JobHandler.Body body;
		try {
			body = handler.bind(record);
		}
		catch (UnreadableArgumentsException ex) {
			return attempt.unreadable(ex);
		}
		catch (Throwable ex) {
			return attempt.failed(ex);
		}
		if (!run.mayStart()) {
			// The reservation or the binding took too long.
			return RunEnd.returned(job);
		}
		return run(run, run.bodyLease(), attempt, body);
	}

	private RunEnd run(HeldRun run, RunLease lease, Attempt attempt, JobHandler.Body body) {
		JobHandler handler = attempt.handler();
		JobRecord record = run.job().record();
		QueuedJobContext context = new QueuedJobContext(handler.job(), record, lease);
		RunObservation observation = this.observers.running(context.observed(record, handler.maskArguments()));
		RunOutcome outcome = RunOutcome.FAILED;
		Throwable failure = null;
		try {
			Ended ended = runBody(run, lease, attempt, body, context);
			outcome = ended.outcome();
			failure = ended.failure();
			// Logged inside the observation of the run.
			return end(attempt, ended);
		}
		catch (RuntimeException | Error ex) {
			outcome = RunOutcome.FAILED;
			failure = ex;
			throw ex;
		}
		finally {
			observation.leave();
			observation.end(outcome, failure);
		}
	}

	private Ended runBody(HeldRun run, RunLease lease, Attempt attempt, JobHandler.Body body,
			QueuedJobContext context) {
		JobHandler handler = attempt.handler();
		JobRecord record = run.job().record();
		QueuedInvocation invocation = new QueuedInvocation(handler.job(), context, run.keyLease());
		Duration timeout = handler.timeout();
		RunningBody running = this.bodies.begin(record);
		Future<?> alarm = null;
		Throwable failure = null;
		Interruption interruption;
		try {
			if (this.settings.interruptOnLost()) {
				lease.onLost((LossInterrupt) () -> this.bodies.interrupt(running, Interruption.LOST));
			}
			alarm = (timeout != null) ? this.bodies.interruptAfter(timeout, running) : null;
			invocation.run(() -> BodyResult.await(body.run()));
		}
		catch (Throwable ex) {
			failure = ex;
		}
		finally {
			interruption = running.end();
			this.bodies.end(running);
			if (alarm != null) {
				alarm.cancel(false);
			}
		}
		if (interruption == null && lease.lossCause() != null) {
			// The body may have detected the loss before its interrupt arrived.
			interruption = Interruption.LOST;
		}
		return Ended.of(handler, interruption, failure, context.isCompleted());
	}

	private RunEnd end(Attempt attempt, Ended ended) {
		ReservedJob job = attempt.job();
		if (ended.outcome() == RunOutcome.INTERRUPTED) {
			logger.info("Job " + job.record().job() + " (" + job.record().id() + ") returns to its place, because "
					+ ended.describe());
			return RunEnd.returned(job);
		}
		Throwable failure = ended.failure();
		return (failure != null) ? attempt.failed(failure) : RunEnd.succeeded(job);
	}

	private RunEnd unknown(ReservedJob job) {
		JobRecord record = job.record();
		this.unknown.add(record.job());
		String reason = "this process has no job of that name, or several beans have it";
		this.warnings.warn("job " + record.job(),
				"Job " + record.job() + " (" + record.id() + ") of queue " + record.queue()
						+ " returns to the queue and waits for a worker that has it, for at most a day: " + reason
						+ ". Let only workers that have its jobs serve the queue");
		return RunEnd.unknown(job, reason);
	}

	/**
	 * Returns the end of a job after an unexpected failure outside its body.
	 * @param job the job
	 * @param failure the failure
	 * @return the end, a failed attempt
	 */
	public RunEnd failedUnforeseen(ReservedJob job, Throwable failure) {
		return Attempt.failedUnforeseen(job, this.settings.retry(), this.random.getAsDouble(), failure);
	}

	/**
	 * End of a body. A body that was notified to stop, because its lease was lost or the
	 * worker stops, has not failed. It has succeeded only if it returned normally and
	 * declared its work completed.
	 *
	 * @param outcome the outcome
	 * @param interruption the reason for which the body was notified to stop, or
	 * {@code null}
	 * @param failure the failure of the body, or {@code null}
	 */
	private record Ended(RunOutcome outcome, @Nullable Interruption interruption, @Nullable Throwable failure) {

		static Ended of(JobHandler handler, @Nullable Interruption interruption, @Nullable Throwable failure,
				boolean completed) {
			if (interruption == Interruption.TIMEOUT) {
				JobTimeoutException timeout = new JobTimeoutException(handler.job(),
						Objects.requireNonNull(handler.timeout(), "'timeout' must not be null"));
				if (failure != null) {
					timeout.addSuppressed(failure);
				}
				return new Ended(RunOutcome.FAILED, interruption, timeout);
			}
			if (interruption != null && (failure != null || !completed)) {
				return new Ended(RunOutcome.INTERRUPTED, interruption, failure);
			}
			return new Ended((failure != null) ? RunOutcome.FAILED : RunOutcome.SUCCEEDED, interruption, failure);
		}

		String describe() {
			String reason = (this.interruption == Interruption.SHUTDOWN) ? "the worker stops" : "its lease was lost";
			return (this.failure != null) ? reason + " and its body ended with " + this.failure.getClass().getName()
					: reason + " before its body returned. A body that has done all its work declares it with"
							+ " JobContext.markCompleted()";
		}

	}

}
