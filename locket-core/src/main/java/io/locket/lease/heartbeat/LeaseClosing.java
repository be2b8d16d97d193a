package io.locket.lease.heartbeat;

import java.util.concurrent.Executor;

import io.locket.LeaseRefusedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Shutdown of a lease service. After it was closed no lease can be taken, and after the
 * last lease was released its threads and connections end. Until then they stay alive, as
 * daemons, so that a body that outlives its context keeps its lease. Thread-safe.
 */
public final class LeaseClosing {

	private static final Log logger = LogFactory.getLog(LeaseClosing.class);

	private final Runnable end;

	private final Executor executor;

	private int attempts;

	private int leases;

	private int pendingReplies;

	private volatile boolean closed;

	private boolean ended;

	/**
	 * Creates an instance for an open service.
	 * @param end closes the threads and connections of the service; called once
	 */
	public LeaseClosing(Runnable end) {
		this(end, LeaseClosing::startThread);
	}

	LeaseClosing(Runnable end, Executor executor) {
		this.end = end;
		this.executor = executor;
	}

	private static void startThread(Runnable task) {
		Thread thread = new Thread(task, "locket-closing");
		thread.setDaemon(true);
		thread.start();
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
	 * Registers an attempt to take a lease, which ends with
	 * {@link #attemptEnds(boolean)}.
	 * @throws LeaseRefusedException if the service is closed
	 */
	public synchronized void attemptBegins() {
		if (this.closed) {
			throw refusal(null);
		}
		this.attempts++;
	}

	/**
	 * Registers the end of an attempt.
	 * @param granted whether it took a lease
	 */
	public void attemptEnds(boolean granted) {
		synchronized (this) {
			this.attempts--;
			this.leases += granted ? 1 : 0;
		}
		endIfOver();
	}

	/**
	 * Registers a lease that was taken without an attempt, and ends with
	 * {@link #leaseEnds()}.
	 */
	synchronized void leaseBegins() {
		this.leases++;
	}

	/**
	 * Registers an acquire or a release without a reply, which is to be settled in the
	 * background. It ends with {@link #replySettled()}.
	 * @return {@code false} if the connections of the service are closed, so that nothing
	 * was registered
	 */
	public synchronized boolean replyPending() {
		if (this.ended) {
			return false;
		}
		this.pendingReplies++;
		return true;
	}

	/**
	 * Registers that an acquire or a release without a reply was settled or has expired.
	 */
	public void replySettled() {
		synchronized (this) {
			this.pendingReplies--;
		}
		endIfOver();
	}

	/**
	 * Registers that a lease was released completely.
	 */
	void leaseEnds() {
		synchronized (this) {
			this.leases--;
		}
		endIfOver();
	}

	private void endIfOver() {
		if (this.closed && markEnded()) {
			// The thread of the last body may be interrupted, and may be an event loop.
			FallbackExecution.execute(this.executor, this.end);
		}
	}

	/**
	 * Closes the service. Its threads and connections are closed now, or with the end of
	 * the last lease, attempt and pending reply.
	 */
	public void close() {
		synchronized (this) {
			if (!this.closed && this.leases > 0) {
				logger.info("The context was closed while " + this.leases
						+ " leases are held. They are renewed until they are released");
			}
			if (!this.closed && this.pendingReplies > 0) {
				logger.info("The context was closed while " + this.pendingReplies
						+ " acquires or releases have no reply from Redis."
						+ " They are settled in the background until they have expired");
			}
			this.closed = true;
		}
		if (markEnded()) {
			this.end.run();
		}
	}

	public boolean isClosed() {
		return this.closed;
	}

	/**
	 * Marks the closed service as ended if nothing uses it any more.
	 * @return whether this call ended it
	 */
	private synchronized boolean markEnded() {
		if (!this.closed || this.ended || this.attempts + this.leases + this.pendingReplies > 0) {
			return false;
		}
		this.ended = true;
		return true;
	}

}
