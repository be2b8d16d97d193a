package io.locket.queue.redis.turn;

import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;

/**
 * Turn whose thread waits for the reply. The thread is the one that creates this object.
 * Thread-safe.
 */
final class WaitingTurn {

	private final PlainTurn turn;

	private final long since;

	private final Thread thread = Thread.currentThread();

	private volatile boolean isSent;

	private volatile @Nullable Future<?> call;

	private @Nullable TurnReply reply;

	private boolean cancelled;

	private volatile boolean isServed;

	WaitingTurn(PlainTurn turn, long since) {
		this.turn = turn;
		this.since = since;
	}

	PlainTurn turn() {
		return this.turn;
	}

	/**
	 * Returns the time since which the thread waits, by the monotonic clock.
	 */
	long since() {
		return this.since;
	}

	/**
	 * Returns whether a call has taken the turn.
	 */
	boolean isSent() {
		return this.isSent;
	}

	void markSent() {
		this.isSent = true;
	}

	void setCall(Future<?> call) {
		this.call = call;
	}

	/**
	 * Cancels the call for this turn, if it was sent.
	 */
	void cancel() {
		Future<?> sent = this.call;
		if (sent != null) {
			sent.cancel(false);
		}
	}

	/**
	 * Ends the waiting.
	 * @param reply the reply, or {@code null} for none
	 * @param cancelled whether the call was cancelled
	 */
	void end(@Nullable TurnReply reply, boolean cancelled) {
		this.reply = reply;
		this.cancelled = cancelled;
		this.isServed = true;
		if (this.thread != Thread.currentThread()) {
			LockSupport.unpark(this.thread);
		}
	}

	/**
	 * Returns whether the waiting has ended.
	 */
	boolean isServed() {
		return this.isServed;
	}

	/**
	 * Returns the reply after the waiting has ended.
	 * @return the reply, or {@code null} for none
	 * @throws QueryTimeoutException if the call was cancelled
	 */
	@Nullable TurnReply reply() {
		if (this.cancelled) {
			throw new QueryTimeoutException(
					"The call was cancelled, because it had no reply in time or its connection was closed");
		}
		return this.reply;
	}

}
