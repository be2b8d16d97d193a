package io.locket;

import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What a guarded job body can know of its own run. It belongs to the thread that runs the
 * body; in a {@code Mono} or {@code Flux} it is in the Reactor context under
 * {@code JobContext.class}. A context may be handed to other threads: its methods are
 * thread-safe.
 */
public interface JobContext {

	/**
	 * How many characters of a progress message are kept.
	 */
	int PROGRESS_MESSAGE_LENGTH = 200;

	/**
	 * Return the name of the job that runs. A job that was enqueued under one of its
	 * aliases has that in its {@link #key()}.
	 * @return the name
	 */
	default String job() {
		return key().job();
	}

	/**
	 * Return the key of this run.
	 * @return the key
	 */
	JobKey key();

	/**
	 * Return the fencing token of the lease: it grows with each lease of the namespace,
	 * so that a resource can refuse a writer whose token is older than one it has seen.
	 * @return the token, or {@code 0} if the store has no fence
	 */
	long fencingToken();

	/**
	 * Return when the lease was taken.
	 * @return the time, by the clock of the store
	 */
	Instant since();

	/**
	 * Return why the lease was lost.
	 * @return the cause, or {@code null} while the lease holds
	 */
	@Nullable LeaseLossCause lossCause();

	/**
	 * Return whether the lease was lost. A body that can stop should look at it.
	 * @return {@code true} once the lease is lost
	 */
	default boolean isLeaseLost() {
		return lossCause() != null;
	}

	/**
	 * Return the queued job that this body runs for.
	 * @return the run, or empty if the body was called directly
	 */
	default Optional<QueuedRun> queuedRun() {
		return Optional.empty();
	}

	/**
	 * Return whether the queued job was cancelled, or its queue removed, while it runs. A
	 * body that can stop should look at it: nothing else stops it.
	 * @return {@code true} once a heartbeat has brought the news
	 */
	default boolean isCancelled() {
		return false;
	}

	/**
	 * Tell how far the body is, for those who look the queued job up. Costs the body next
	 * to nothing, so that it may be called as often as there is something to tell: the
	 * first report is sent at once and then the latest one, by at most one command a
	 * second for all runs of the process, and not on this thread. The last one that the
	 * store is not known to have goes with the end of the run. What a run tells that has
	 * lost its lease, or that has ended, is dropped. Of a body that was called directly
	 * nothing is stored.
	 * @param done how much is done, in units of the body's own, not negative
	 * @param total how much there is to do, or {@code 0} if that is not known; may be
	 * less than what is done
	 * @param message what the body does at the moment, or {@code null}; cut after
	 * {@value #PROGRESS_MESSAGE_LENGTH} characters. Not masked: see to it that it may be
	 * seen
	 * @throws IllegalArgumentException if a number is negative
	 */
	default void progress(long done, long total, @Nullable String message) {
		if (done < 0 || total < 0) {
			throw new IllegalArgumentException(
					"Neither what is done nor the total may be negative: " + done + " of " + total);
		}
	}

	/**
	 * Check that the lease holds, as far as this process knows.
	 * @throws LeaseLostException if the lease was lost
	 */
	default void ensureLease() {
		LeaseLossCause cause = lossCause();
		if (cause != null) {
			throw new LeaseLostException(key(), cause);
		}
	}

	/**
	 * Run an action once when the lease is lost, at once if it is lost already. It runs
	 * on a thread of Locket's and must not block.
	 * @param action the action
	 */
	void onLeaseLost(Runnable action);

	/**
	 * Return the context of the innermost guarded body on this thread.
	 * @return the context, or empty outside a guarded body
	 */
	static Optional<JobContext> current() {
		return Optional.ofNullable(JobContextHolder.get());
	}

	/**
	 * Return the context of the innermost guarded body on this thread. Shows that there
	 * is one, which may be that of a caller: {@link #required(String)} shows which.
	 * @return the context
	 * @throws IllegalStateException if no guarded body runs on this thread
	 */
	static JobContext required() {
		return current().orElseThrow(
				() -> new IllegalStateException("No guarded job runs on this thread. " + JobContextHolder.REMEDY));
	}

	/**
	 * Return the context of the innermost guarded body on this thread, which has to be
	 * one of the given job. At the beginning of a body it shows that this body runs
	 * guarded, or inside another one of the same job.
	 * @param job the name of the job
	 * @return the context
	 * @throws IllegalStateException if no guarded body runs on this thread, or one of
	 * another job
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
	 * Make a context the current one of this thread. For those who run bodies.
	 * @param context the context, or {@code null} for none
	 * @return the context that was current before, to be restored when the body ends
	 */
	static @Nullable JobContext enter(@Nullable JobContext context) {
		return JobContextHolder.set(context);
	}

}
