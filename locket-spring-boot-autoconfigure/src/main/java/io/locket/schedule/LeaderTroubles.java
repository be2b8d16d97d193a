package io.locket.schedule;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.event.QuietWarnings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Says what keeps a candidate from leading, and how long it stands back. Not thread-safe.
 */
final class LeaderTroubles {

	private static final Log logger = LogFactory.getLog(LeaderTroubles.class);

	private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);

	private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);

	private final LongSupplier nanoTime;

	private final QuietWarnings warnings;

	private boolean unavailable;

	private Duration backoff = FIRST_BACKOFF;

	LeaderTroubles(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.warnings = new QuietWarnings(logger, nanoTime);
	}

	/**
	 * The store gives no answer for the leader's lease.
	 */
	void noAnswer(Throwable failure) {
		if (this.unavailable) {
			logger.debug("Still no answer for the leader's lease", failure);
			return;
		}
		this.unavailable = true;
		logger.warn("Could not find out who leads; asking again until there is an answer. If no other process leads,"
				+ " nobody does meanwhile, and schedules do not fire. Look at Redis: " + failure);
	}

	/**
	 * The store has answered for the leader's lease.
	 */
	void answered() {
		this.unavailable = false;
	}

	/**
	 * This process has led, and could not do its duty, by no fault of the store.
	 * @param term the term
	 * @param begun when the term has begun, by the monotonic clock
	 * @param failure what was thrown
	 * @return how long to leave it to others, more each time until a term lasts
	 */
	Duration unfit(long term, long begun, Throwable failure) {
		logger.debug("The failure of term " + term, failure);
		if (this.nanoTime.getAsLong() - begun > TimeUnit.NANOSECONDS.convert(LONGEST_BACKOFF)) {
			this.backoff = FIRST_BACKOFF;
		}
		Duration rest = this.backoff;
		Duration next = rest.multipliedBy(2);
		this.backoff = (next.compareTo(LONGEST_BACKOFF) < 0) ? next : LONGEST_BACKOFF;
		this.warnings.warn("the leader's duty",
				"This process led, and failed to do a leader's duty. It gives the lease back and stands again in "
						+ rest.toSeconds() + " s, later each time; another process may lead meanwhile. Schedules do not"
						+ " fire if none does: mend the cause, or restart this process: " + failure);
		return rest;
	}

}
