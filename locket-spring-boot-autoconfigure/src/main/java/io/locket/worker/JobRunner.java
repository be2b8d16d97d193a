package io.locket.worker;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.locket.DuplicateJobException;
import io.locket.JobKey;
import io.locket.JobTimeoutException;
import io.locket.LeaseHolder;
import io.locket.aop.QueuedInvocation;
import io.locket.event.JobObservers;
import io.locket.event.QuietWarnings;
import io.locket.event.RunObservation;
import io.locket.event.RunOutcome;
import io.locket.lease.RunLease;
import io.locket.queue.JobRecord;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.worker.RunningBody.Interruption;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs on the calling thread and tells how they ended. Thread-safe.
 */
final class JobRunner {

	private static final Log logger = LogFactory.getLog(JobRunner.class);

	private final JobHandlers handlers;

	private final WorkerSettings settings;

	private final RunningBodies bodies;

	private final JobObservers observers;

	private final DoubleSupplier random;

	private final QuietWarnings warnings;

	JobRunner(JobHandlers handlers, WorkerSettings settings, RunningBodies bodies, JobObservers observers,
			DoubleSupplier random, LongSupplier nanoTime) {
		this.handlers = handlers;
		this.settings = settings;
		this.bodies = bodies;
		this.observers = observers;
		this.random = random;
		this.warnings = new QuietWarnings(logger, nanoTime);
	}

	/**
	 * Run a job, or say why it cannot be run here.
	 * @param run the job, with its lease
	 * @return how it ended
	 */
	RunEnd run(HeldRun run) {
		ReservedJob job = run.job();
		JobRecord record = job.record();
		if (record.version() > JobRecord.VERSION) {
			return deferred(job,
					"its record has version " + record.version() + ", and this process knows " + JobRecord.VERSION);
		}
		JobHandler handler = this.handlers.find(record.job()).orElse(null);
		if (handler == null) {
			return deferred(job, "there is no job of that name in this process, or several beans have it");
		}
		Attempt attempt = new Attempt(job, handler, this.settings.retry(), this.random.getAsDouble());
		LeaseHolder holder = job.conflict();
		if (holder != null) {
			JobKey key = Objects.requireNonNull(record.key(), "A job without a key has no conflict");
			return attempt.refused(new DuplicateJobException(key, holder, job.conflictFor()));
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
			// It has taken long to get here.
			return RunEnd.returned(job);
		}
		return run(run, Objects.requireNonNull(run.lease(), "'lease' must not be null"), attempt, body);
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
			// What is logged of the end still belongs to the run.
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
		QueuedInvocation invocation = new QueuedInvocation(handler.job(), context,
				run.job().keyLeased() ? lease : null);
		RunningBody running = this.bodies.begin("job " + record.job() + " (" + record.id() + ")");
		if (this.settings.interruptOnLost()) {
			lease.onLost(() -> this.bodies.interrupt(running, Interruption.LOST));
		}
		Duration timeout = handler.timeout();
		Future<?> alarm = (timeout != null) ? this.bodies.interruptAfter(timeout, running) : null;
		Throwable failure = null;
		Interruption interruption;
		try {
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
		return Ended.of(handler, interruption, failure);
	}

	private RunEnd end(Attempt attempt, Ended ended) {
		ReservedJob job = attempt.job();
		Throwable failure = ended.failure();
		if (failure == null) {
			return RunEnd.succeeded(job);
		}
		if (ended.outcome() == RunOutcome.INTERRUPTED) {
			logger.info("Job " + job.record().job() + " (" + job.record().id()
					+ ") was interrupted and goes back to its place: " + ended.interruption());
			return RunEnd.returned(job);
		}
		return attempt.failed(failure);
	}

	private RunEnd deferred(ReservedJob job, String reason) {
		JobRecord record = job.record();
		this.warnings.warn("job " + record.job(),
				"Job " + record.job() + " (" + record.id() + ") of queue " + record.queue() + " goes back for "
						+ this.settings.deferDelay() + ": " + reason
						+ ". Let only those serve the queue that know its jobs");
		double jitter = 0.8 + 0.4 * this.random.getAsDouble();
		return RunEnd.defer(job, Duration.ofMillis(Math.round(this.settings.deferDelay().toMillis() * jitter)), reason);
	}

	/**
	 * Tell the end of a job that could not even be tried.
	 * @param job the job
	 * @param failure why
	 * @return the end, a failed attempt
	 */
	RunEnd failedUnforeseen(ReservedJob job, Throwable failure) {
		return RunEnd.retry(job, this.settings.retry().delay(null, job.record().attempt(), this.random.getAsDouble()),
				ErrorText.of(failure, true));
	}

	/**
	 * The end of a body. One that was interrupted because its lease was lost or the
	 * worker stops has not failed.
	 *
	 * @param outcome how it ended
	 * @param interruption why it was interrupted, or {@code null}
	 * @param failure what it failed with, or {@code null}
	 */
	private record Ended(RunOutcome outcome, @Nullable Interruption interruption, @Nullable Throwable failure) {

		static Ended of(JobHandler handler, @Nullable Interruption interruption, @Nullable Throwable failure) {
			if (interruption == Interruption.TIMEOUT) {
				JobTimeoutException timeout = new JobTimeoutException(handler.job(),
						Objects.requireNonNull(handler.timeout(), "'timeout' must not be null"));
				if (failure != null) {
					timeout.addSuppressed(failure);
				}
				return new Ended(RunOutcome.FAILED, interruption, timeout);
			}
			if (failure == null) {
				return new Ended(RunOutcome.SUCCEEDED, interruption, null);
			}
			return new Ended((interruption != null) ? RunOutcome.INTERRUPTED : RunOutcome.FAILED, interruption,
					failure);
		}

	}

}
