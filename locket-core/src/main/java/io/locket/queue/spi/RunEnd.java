package io.locket.queue.spi;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * End of a run. Immutable.
 *
 * @param id the id of the job
 * @param token the token of the run
 * @param kind the kind of end
 * @param delay the delay until it runs again, for {@link Kind#RETRY} and
 * {@link Kind#DEFER}
 * @param error the error it failed with, or {@code null}
 * @param progress the last progress of the run, or {@code null} if there is none or it is
 * already stored; it is stored with the end if the run still has its job
 * @param stackTrace the stack trace of a failed attempt, or {@code null} if there is none
 */
public record RunEnd(String id, String token, Kind kind, Duration delay, @Nullable String error,
		@Nullable RunProgress progress, @Nullable String stackTrace) {

	public RunEnd {
		Objects.requireNonNull(id, "'id' must not be null");
		Objects.requireNonNull(token, "'token' must not be null");
		Objects.requireNonNull(kind, "'kind' must not be null");
		Objects.requireNonNull(delay, "'delay' must not be null");
		if (progress != null && !progress.run().equals(new RunToken(id, token))) {
			throw new IllegalArgumentException("'progress' must be that of the same run");
		}
	}

	/**
	 * Creates an end of a run without progress or a stack trace to store.
	 * @param id the id of the job
	 * @param token the token of the run
	 * @param kind the kind of end
	 * @param delay the delay until it runs again, for {@link Kind#RETRY} and
	 * {@link Kind#DEFER}
	 * @param error the error it failed with, or {@code null}
	 */
	public RunEnd(String id, String token, Kind kind, Duration delay, @Nullable String error) {
		this(id, token, kind, delay, error, null, null);
	}

	/**
	 * Returns the end of a run whose body returned.
	 * @param job the job
	 * @return the end
	 */
	public static RunEnd succeeded(ReservedJob job) {
		return new RunEnd(job.record().id(), job.token(), Kind.SUCCEEDED, Duration.ZERO, null);
	}

	/**
	 * Returns the end of a failed attempt that is followed by another one. If the job has
	 * no attempt left, it is dead.
	 * @param job the job
	 * @param delay the delay until the next attempt is due
	 * @param error the error of the attempt
	 * @return the end
	 */
	public static RunEnd retry(ReservedJob job, Duration delay, String error) {
		return new RunEnd(job.record().id(), job.token(), Kind.RETRY, delay, error);
	}

	/**
	 * Returns the end of a failed attempt that is not followed by another one.
	 * @param job the job
	 * @param error the error of the attempt
	 * @return the end
	 */
	public static RunEnd dead(ReservedJob job, String error) {
		return new RunEnd(job.record().id(), job.token(), Kind.DEAD, Duration.ZERO, error);
	}

	/**
	 * Returns the end of a run that was interrupted for reasons outside the job. The job
	 * returns to its place, at no cost.
	 * @param job the job
	 * @return the end
	 */
	public static RunEnd returned(ReservedJob job) {
		return new RunEnd(job.record().id(), job.token(), Kind.RETURNED, Duration.ZERO, null);
	}

	/**
	 * Returns the end of a run that only this worker cannot execute. The job returns with
	 * a delay, at no cost. It is dead one day after this was first seen.
	 * @param job the job
	 * @param delay the delay until it is due again
	 * @param error the reason why it cannot run here
	 * @return the end
	 */
	public static RunEnd defer(ReservedJob job, Duration delay, String error) {
		return new RunEnd(job.record().id(), job.token(), Kind.DEFER, delay, error);
	}

	/**
	 * Returns the end of a run of a job that is unknown to this worker. The job is set
	 * aside in its place, at no cost, for workers whose requests do not exclude its name.
	 * It is dead one day after this was first seen.
	 * @param job the job
	 * @param error the reason why it cannot run here
	 * @return the end
	 */
	public static RunEnd unknown(ReservedJob job, String error) {
		return new RunEnd(job.record().id(), job.token(), Kind.UNKNOWN, Duration.ZERO, error);
	}

	/**
	 * Returns the same end with progress to store.
	 * @param last the last progress, or {@code null} if there is none to store
	 * @return the end
	 */
	public RunEnd withProgress(@Nullable RunProgress last) {
		return new RunEnd(this.id, this.token, this.kind, this.delay, this.error, last, this.stackTrace);
	}

	/**
	 * Returns the same end with a stack trace to store.
	 * @param trace the stack trace of the failed attempt, or {@code null} if there is
	 * none
	 * @return the end
	 */
	public RunEnd withStackTrace(@Nullable String trace) {
		return new RunEnd(this.id, this.token, this.kind, this.delay, this.error, this.progress, trace);
	}

	/**
	 * Kind of end.
	 */
	public enum Kind {

		/**
		 * The body returned.
		 */
		SUCCEEDED,

		/**
		 * The attempt failed and may be repeated.
		 */
		RETRY,

		/**
		 * The attempt failed for good.
		 */
		DEAD,

		/**
		 * The job returns to its place.
		 */
		RETURNED,

		/**
		 * The job returns with a delay.
		 */
		DEFER,

		/**
		 * The job is set aside for workers that know it.
		 */
		UNKNOWN

	}

}
