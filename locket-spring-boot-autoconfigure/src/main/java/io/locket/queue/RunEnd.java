package io.locket.queue;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * How a run ended. Immutable.
 *
 * @param id the id of the job
 * @param token the token of the run
 * @param kind how it ended
 * @param delay after which it runs again, for {@link Kind#RETRY} and {@link Kind#DEFER}
 * @param error what it failed with, or {@code null}
 * @param progress how far the run was when it last told, unless that is known to be
 * stored, or {@code null}; it is stored with the end if the run still has its job
 */
public record RunEnd(String id, String token, Kind kind, Duration delay, @Nullable String error,
		@Nullable RunProgress progress) {

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
	 * Create an end of a run that has nothing left to tell.
	 * @param id the id of the job
	 * @param token the token of the run
	 * @param kind how it ended
	 * @param delay after which it runs again, for {@link Kind#RETRY} and
	 * {@link Kind#DEFER}
	 * @param error what it failed with, or {@code null}
	 */
	public RunEnd(String id, String token, Kind kind, Duration delay, @Nullable String error) {
		this(id, token, kind, delay, error, null);
	}

	/**
	 * The body returned.
	 * @param job the job
	 * @return the end
	 */
	public static RunEnd succeeded(ReservedJob job) {
		return new RunEnd(job.record().id(), job.token(), Kind.SUCCEEDED, Duration.ZERO, null);
	}

	/**
	 * The attempt failed, and another one follows, unless the job has none left: then it
	 * is dead.
	 * @param job the job
	 * @param delay after which the next attempt is due
	 * @param error what it failed with
	 * @return the end
	 */
	public static RunEnd retry(ReservedJob job, Duration delay, String error) {
		return new RunEnd(job.record().id(), job.token(), Kind.RETRY, delay, error);
	}

	/**
	 * The attempt failed, and no other one would fare better.
	 * @param job the job
	 * @param error what it failed with
	 * @return the end
	 */
	public static RunEnd dead(ReservedJob job, String error) {
		return new RunEnd(job.record().id(), job.token(), Kind.DEAD, Duration.ZERO, error);
	}

	/**
	 * The job was not run to its end for reasons that are not its own: it goes back to
	 * its place, at no cost.
	 * @param job the job
	 * @return the end
	 */
	public static RunEnd returned(ReservedJob job) {
		return new RunEnd(job.record().id(), job.token(), Kind.RETURNED, Duration.ZERO, null);
	}

	/**
	 * This worker cannot run the job, and another one may: it goes back with a delay, at
	 * no cost, and is dead only a day after that was first seen.
	 * @param job the job
	 * @param delay after which it is due again
	 * @param error why it cannot run here
	 * @return the end
	 */
	public static RunEnd defer(ReservedJob job, Duration delay, String error) {
		return new RunEnd(job.record().id(), job.token(), Kind.DEFER, delay, error);
	}

	/**
	 * Return the same end with how far the run was when it last told.
	 * @param last how far it was, or {@code null} if nothing is left to tell
	 * @return the end
	 */
	public RunEnd withProgress(@Nullable RunProgress last) {
		return new RunEnd(this.id, this.token, this.kind, this.delay, this.error, last);
	}

	/**
	 * How a run ended.
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
		 * The job goes back to its place.
		 */
		RETURNED,

		/**
		 * The job goes back with a delay.
		 */
		DEFER

	}

}
