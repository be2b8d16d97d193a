package io.locket.worker.reservation;

import java.time.Duration;

import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Back-off of calls to which the store did not reply.
 */
public final class CallBackoff {

	private static final long FIRST_MILLIS = 100;

	private CallBackoff() {
	}

	/**
	 * Creates a back-off whose pauses double. The jitter is up to half of a pause, so
	 * that processes do not call together after an outage.
	 * @param longest the maximum pause
	 * @return the back-off, which never ends
	 */
	public static BackOff upTo(Duration longest) {
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_MILLIS, 2);
		backOff.setMaxInterval(longest.toMillis());
		backOff.setJitter(FIRST_MILLIS / 2);
		return backOff;
	}

}
