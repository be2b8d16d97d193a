package io.locket.lease.heartbeat;

import io.locket.LeaseRefusedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Shutdown of a lease service. After it was closed no lease can be taken, and after the
 * last lease was released its threads and connections end. Until then they stay alive, as
 * daemons, so that a body that outlives its context keeps its lease.
 */
public final class LeaseClosing {

	private static final Log logger = LogFactory.getLog(LeaseClosing.class);

	private final Runnable end;

	private int asking;

	private int open;

	private int owed;

	private volatile boolean closed;

	private boolean ended;

	public LeaseClosing(Runnable end) {
		this.end = end;
	}

	/**
	 * Returns the exception for attempts of a closed service.
	 * @param cause its cause, or {@code null}
	 * @return the exception
	 */
	public static LeaseRefusedException refusal(@Nullable Throwable cause) {
		LeaseRefusedException refusal = new LeaseRefusedException(
				"The application context is closed. Leases can no longer be taken");
		return (cause != null) ? (LeaseRefusedException) refusal.initCause(cause) : refusal;
	}

	/**
	 * Registers an attempt that is about to be made.
	 * @throws LeaseRefusedException if the service is closed
	 */
	public synchronized void enter() {
		if (this.closed) {
			throw refusal(null);
		}
		this.asking++;
	}

	/**
	 * Registers the end of an attempt.
	 * @param granted whether it took a lease
	 */
	public void answered(boolean granted) {
		synchronized (this) {
			this.asking--;
			this.open += granted ? 1 : 0;
		}
		endIfOver();
	}

	/**
	 * Registers a lease that was taken without an attempt.
	 */
	synchronized void stay() {
		this.open++;
	}

	/**
	 * Registers an acquire or a release without a reply, which is to be settled in the
	 * background.
	 */
	public synchronized void owe() {
		this.owed++;
	}

	/**
	 * Registers that an acquire or a release without a reply was settled or has expired.
	 */
	public void settle() {
		synchronized (this) {
			this.owed--;
		}
		endIfOver();
	}

	/**
	 * Registers that a lease was released completely.
	 */
	void leave() {
		synchronized (this) {
			this.open--;
		}
		endIfOver();
	}

	private void endIfOver() {
		if (this.closed && isOver()) {
			// The thread of the last body may be interrupted, and may be an event loop.
			Thread thread = new Thread(this.end, "locket-closing");
			thread.setDaemon(true);
			thread.start();
		}
	}

	public void close() {
		synchronized (this) {
			if (!this.closed && this.open > 0) {
				logger.info("The context was closed while " + this.open
						+ " leases are held. They are renewed until they are released");
			}
			if (!this.closed && this.owed > 0) {
				logger.info(
						"The context was closed while " + this.owed + " acquires or releases have no reply from Redis."
								+ " They are settled in the background until they have expired");
			}
			this.closed = true;
		}
		if (isOver()) {
			this.end.run();
		}
	}

	public boolean isClosed() {
		return this.closed;
	}

	private synchronized boolean isOver() {
		if (!this.closed || this.ended || this.asking + this.open + this.owed > 0) {
			return false;
		}
		this.ended = true;
		return true;
	}

}
