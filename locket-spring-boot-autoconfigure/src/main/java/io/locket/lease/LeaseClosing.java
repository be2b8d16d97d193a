package io.locket.lease;

import io.locket.LeaseRefusedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The end of a lease service: after it was closed no lease is taken any more, and after
 * the last one was given back its threads and connections end. Until then they live on,
 * as daemons, so that a body that outlives its context keeps its lease.
 */
final class LeaseClosing {

	private static final Log logger = LogFactory.getLog(LeaseClosing.class);

	private final Runnable end;

	private int open;

	private boolean closed;

	private boolean ended;

	LeaseClosing(Runnable end) {
		this.end = end;
	}

	/**
	 * A lease is about to be asked for.
	 * @throws LeaseRefusedException if it is too late for that
	 */
	synchronized void enter() {
		if (this.closed) {
			throw new LeaseRefusedException("The application context is closed: no lease is taken any more");
		}
		this.open++;
	}

	/**
	 * Something is left to be given back.
	 */
	synchronized void stay() {
		this.open++;
	}

	/**
	 * A lease was given back, or was not taken; nothing of it is left.
	 */
	void leave() {
		synchronized (this) {
			this.open--;
		}
		if (isOver()) {
			// The thread of the last body may be interrupted, and may be an event loop.
			Thread thread = new Thread(this.end, "locket-closing");
			thread.setDaemon(true);
			thread.start();
		}
	}

	void close() {
		synchronized (this) {
			if (!this.closed && this.open > 0) {
				logger.info("The context has closed while " + this.open
						+ " leases are held or not given back yet: they are kept alive until they are");
			}
			this.closed = true;
		}
		if (isOver()) {
			this.end.run();
		}
	}

	private synchronized boolean isOver() {
		if (!this.closed || this.ended || this.open > 0) {
			return false;
		}
		this.ended = true;
		return true;
	}

}
