package io.locket;

import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Context of a guarded run, for use by the job body. It is bound to the thread that runs
 * the body; in a {@code Mono} or {@code Flux} it is in the Reactor context under
 * {@code JobContext.class}. A context may be handed to other threads: its methods are
 * thread-safe.
 */
public interface JobContext {

	/**
	 * Maximum length of a progress message, in characters.
	 */
	int PROGRESS_MESSAGE_LENGTH = 200;

	/**
	 * Returns the name of the job. For a job enqueued under an alias, {@link #key()} has
	 * the alias.
	 * @return the name
	 */
	default String job() {
		return key().job();
	}

	/**
	 * Returns the key of this run. A queued run with the lock strategy {@code NONE} has
	 * no key and excludes no other run. Its {@code JobRecord} has no key, and this method
	 * returns a placeholder made of the job's name and id.
	 * @return the key
	 */
	JobKey key();

	/**
	 * Returns the fencing token of the key lease, or of the claim of a direct call. It
	 * grows with each lease of the namespace, so that a resource can refuse a writer
	 * whose token is older than one it has seen.
	 * @return the token, or {@code 0} if this run holds no lease of its key, as for
	 * queued runs with {@code UNTIL_EXECUTING}, {@code UNTIL_EXPIRED} and {@code NONE},
	 * or if the store has no fence
	 */
	long fencingToken();

	/**
	 * Returns the time at which the lease was taken.
	 * @return the time, by the clock of the store
	 */
	Instant since();

	/**
	 * Returns the reason for which the lease was lost.
	 * @return the cause, or {@code null} while the lease holds
	 */
	@Nullable LeaseLossCause lossCause();

	/**
	 * Returns whether the lease was lost. A body that can stop should check it.
	 * @return {@code true} once the lease is lost
	 */
	default boolean isLeaseLost() {
		return lossCause() != null;
	}

	/**
	 * Returns the queued job of this run.
	 * @return the run, or empty if the body was called directly
	 */
	default Optional<QueuedRun> queuedRun() {
		return Optional.empty();
	}

	/**
	 * Returns whether the queued job was cancelled, or its queue removed, while it runs.
	 * A body that can stop should check it: nothing else stops it.
	 * @return {@code true} once a heartbeat has reported it
	 */
	default boolean isCancelled() {
		return false;
	}

	/**
	 * Reports the progress of the body, shown with the queued job. It may be called as
	 * often as wanted, because it costs next to nothing.
	 * <p>
	 * The first report is sent at once. Later reports are sent with at most one command a
	 * second for all runs of the process, and only the latest one of each run. No report
	 * is sent on this thread. The last report goes with the end of the run unless the
	 * store is known to have it. Reports of a run that has ended or lost its lease are
	 * dropped. Nothing is stored for a direct call.
	 * @param done the amount done, in units of the body's choice, not negative
	 * @param total the total amount, or {@code 0} if unknown; may be less than
	 * {@code done}
	 * @param message the current activity of the body, or {@code null}; cut after
	 * {@value #PROGRESS_MESSAGE_LENGTH} characters. It is not masked, so it must not hold
	 * secrets
	 * @throws IllegalArgumentException if a number is negative
	 */
	default void progress(long done, long total, @Nullable String message) {
		if (done < 0 || total < 0) {
			throw new IllegalArgumentException("'done' and 'total' must not be negative: " + done + " of " + total);
		}
	}

	/**
	 * Declares that the body of a queued job has done its work.
	 * <p>
	 * The shutdown of a worker and the loss of a lease interrupt bodies. A body that
	 * returns normally after an interrupt goes back to its place and runs again, because
	 * it may have stopped half way. If it has called this method before it returns, it
	 * has succeeded. The call has no effect on a body that throws or that has exceeded
	 * its timeout, nor on a direct call.
	 */
	default void markCompleted() {
	}

	/**
	 * Checks that the lease holds, as far as this process can detect. A task to which the
	 * body has handed this context fails here when the body has ended and its lease was
	 * released: after the transaction of a direct call, or once the end of a queued run
	 * is stored. The end of the period of a claim is no loss.
	 * @throws LeaseLostException if the lease was lost
	 * @throws IllegalStateException if the lease was released, because its key may have
	 * another holder
	 */
	default void ensureLease() {
		LeaseLossCause cause = lossCause();
		if (cause != null) {
			throw new LeaseLostException(key(), cause);
		}
	}

	/**
	 * Registers an action that runs once when the lease is lost, or at once if it is lost
	 * already. The action runs on a thread of Locket, independently of slow listeners,
	 * and must not block.
	 * @param action the action
	 */
	void onLeaseLost(Runnable action);

	/**
	 * Returns the context of the innermost guarded body on this thread.
	 * @return the context, or empty outside a guarded body
	 */
	static Optional<JobContext> current() {
		return Optional.ofNullable(JobContextHolder.get());
	}

	/**
	 * Returns the context of the innermost guarded body on this thread. This may be the
	 * context of a caller: {@link #required(String)} checks the job too.
	 * @return the context
	 * @throws IllegalStateException if no guarded body runs on this thread
	 */
	static JobContext required() {
		return current().orElseThrow(
				() -> new IllegalStateException("No guarded job runs on this thread. " + JobContextHolder.REMEDY));
	}

	/**
	 * Returns the context of the innermost guarded body on this thread and checks its
	 * job. At the beginning of a body it verifies that this body runs guarded, or inside
	 * another body of the same job.
	 * @param job the name of the job
	 * @return the context
	 * @throws IllegalStateException if no guarded body runs on this thread, or only a
	 * body of another job
	 */
	static JobContext required(String job) {
		JobContext context = current().orElseThrow(() -> new IllegalStateException(
				"No guarded job runs on this thread, where job '" + job + "' is required. " + JobContextHolder.REMEDY));
		if (!context.job().equals(job)) {
			throw new IllegalStateException("Job '" + context.job() + "' runs on this thread, where job '" + job
					+ "' is required. " + JobContextHolder.REMEDY);
		}
		return context;
	}

	/**
	 * Makes a context the current one of this thread. For code that runs bodies.
	 * @param context the context, or {@code null} for none
	 * @return the previous context, to be restored when the body ends
	 */
	static @Nullable JobContext enter(@Nullable JobContext context) {
		return JobContextHolder.set(context);
	}

}
