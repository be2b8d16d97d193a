package io.locket.schedule.leader;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.log.OutageLog;
import io.locket.log.QuietWarnings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Log and back-off of failures of a candidate. Not thread-safe.
 */
final class LeaderFailures {

	private static final Log logger = LogFactory.getLog(LeaderFailures.class);

	private static final long LONGEST_SECONDS = 60;

	private static final ExponentialBackOff BACKOFF = new ExponentialBackOff(1000, 2);

	static {
		BACKOFF.setMaxInterval(TimeUnit.SECONDS.toMillis(LONGEST_SECONDS));
	}

	private final LongSupplier nanoTime;

	private final QuietWarnings warnings;

	private final OutageLog outage;

	private BackOffExecution pauses = BACKOFF.start();

	LeaderFailures(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.warnings = new QuietWarnings(logger, nanoTime);
		this.outage = new OutageLog(logger, nanoTime,
				"Could not determine the leader; the request is repeated until there is a reply. If no other process leads,"
						+ " schedules do not fire meanwhile",
				"The leader is known again");
	}

	/**
	 * Records that a request for the leader's lease failed.
	 * @param failure the failure
	 */
	void requestFailed(Throwable failure) {
		if (failure instanceof LeaseUnavailableException) {
			this.outage.failed(failure);
			return;
		}
		this.warnings.warn("the leader's lease",
				"The request for the leader's lease failed, and not because of an outage. It is repeated. If no other"
						+ " process leads, schedules do not fire meanwhile: fix the cause, or restart this process",
				failure);
	}

	/**
	 * Records that the store has replied about the leader's lease.
	 */
	void succeeded() {
		this.outage.succeeded();
	}

	/**
	 * Records that this process has led and failed to perform its task, for reasons other
	 * than the store.
	 * @param term the term
	 * @param begun the time when the term began, by the monotonic clock
	 * @param failure the failure
	 * @return the back-off, which increases until a term lasts
	 */
	Duration unfit(long term, long begun, Throwable failure) {
		if (this.nanoTime.getAsLong() - begun > TimeUnit.SECONDS.toNanos(LONGEST_SECONDS)) {
			this.pauses = BACKOFF.start();
		}
		Duration rest = Duration.ofMillis(this.pauses.nextBackOff());
		this.warnings.warn("the leader's task", "This process led in term " + term
				+ " and failed to perform the leader's task. It has released the lease and tries again in "
				+ rest.toSeconds() + " s, with increasing delay; another process may lead meanwhile. If none does,"
				+ " schedules do not fire: fix the cause, or restart this process", failure);
		return rest;
	}

}
