package io.locket.worker.consumer;

import java.time.Duration;

import io.locket.worker.reservation.CallBackoff;

import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Calls of the store by one thread, which an interrupt does not end. The interrupt is
 * kept for the caller. Not thread-safe.
 */
final class UninterruptedCalls {

	/**
	 * Back-off of calls without a reply.
	 */
	static final BackOff BACKOFF = CallBackoff.upTo(Duration.ofSeconds(2));

	private final BackOffExecution pauses = BACKOFF.start();

	private boolean interrupted;

	/**
	 * Clears the interrupt flag of the thread before a call. A store fails at once on an
	 * interrupted thread.
	 */
	void prepare() {
		this.interrupted = Thread.interrupted() || this.interrupted;
	}

	/**
	 * Pauses before a call without a reply is repeated. An interrupt ends the pause.
	 */
	void pause() {
		try {
			Thread.sleep(this.pauses.nextBackOff());
		}
		catch (InterruptedException ex) {
			this.interrupted = true;
		}
	}

	/**
	 * Restores the interrupt flag after the last call.
	 */
	void end() {
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
