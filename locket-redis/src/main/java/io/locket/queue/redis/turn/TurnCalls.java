package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.locket.queue.spi.ReservationRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls of {@code turn.lua} that serve the turns of several threads together, because a
 * call costs Redis little more for many turns than for one. While a call is under way,
 * later turns wait for its reply. The next call serves all that wait and fit each other.
 * The thread that receives a reply sends it, so Redis is not idle meanwhile. On a slow
 * network, turns do not wait. Thread-safe.
 * <p>
 * A call is sent once. If it fails, each of its turns has to be repeated alone. The first
 * one then receives the jobs that the call may have reserved, because the call has its
 * request id.
 */
public final class TurnCalls {

	/**
	 * Maximum time for which a turn waits for the reply to another call. If calls take as
	 * long as that, turns do not wait.
	 */
	static final Duration LONGEST_WAIT = Duration.ofMillis(1);

	/**
	 * Maximum sum of the sizes of the turns of a call, which bounds the time of the
	 * script.
	 */
	static final int LARGEST_CALL = 32;

	/**
	 * Period in which each poller is the first one of a call, so that the store lists it.
	 */
	static final Duration FIRST_AGAIN = Duration.ofSeconds(30);

	private static final int PARTS = 16;

	private static final String FAILED = "A call of turn.lua failed. Each of its turns is repeated alone";

	private static final Log logger = LogFactory.getLog(TurnCalls.class);

	private final TurnScript script;

	private final long timeout;

	private final LongSupplier nanoTime;

	private final Deque<WaitingTurn> waiters = new ArrayDeque<>();

	private final Map<String, Long> firstAt = new HashMap<>();

	/**
	 * Ids of requests that were sent and may have been executed.
	 */
	private final Set<String> unanswered = new HashSet<>();

	private int underWay;

	/**
	 * Duration of the fastest of the latest calls. A longer one counts little by little.
	 */
	private long shortest = LONGEST_WAIT.toNanos();

	/**
	 * Creates calls.
	 * @param script the script
	 * @param timeout the maximum time from the beginning of a turn to its reply
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public TurnCalls(TurnScript script, Duration timeout, LongSupplier nanoTime) {
		this.script = script;
		this.timeout = timeout.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Serves a turn. An interrupt does not end this call, and stays pending.
	 * @param turn the turn
	 * @return the reply, or {@code null} if the turn has to be repeated alone
	 */
	public @Nullable TurnReply serve(PlainTurn turn) {
		WaitingTurn waiter = new WaitingTurn(turn, this.nanoTime.getAsLong());
		if (!begin(waiter)) {
			return null;
		}
		boolean interrupted = false;
		while (!waiter.isServed()) {
			long waited = this.nanoTime.getAsLong() - waiter.since();
			if (waited >= this.timeout) {
				abandon(waiter);
				break;
			}
			long longest = waiter.isSent() ? this.timeout : LONGEST_WAIT.toNanos();
			if (waited < longest) {
				LockSupport.parkNanos(this, longest - waited);
				interrupted |= Thread.interrupted();
			}
			else {
				send(takeUnlessSent(waiter));
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return waiter.reply();
	}

	/**
	 * Handles the answer to a request, by this or another script.
	 * @param request the request, or {@code null} for none
	 */
	public synchronized void answered(@Nullable ReservationRequest request) {
		if (request != null && !this.unanswered.isEmpty()) {
			this.unanswered.remove(request.id());
		}
	}

	/**
	 * Returns the number of turns that wait to be sent.
	 */
	synchronized int waiting() {
		return this.waiters.size();
	}

	private boolean begin(WaitingTurn waiter) {
		List<WaitingTurn> together = List.of();
		synchronized (this) {
			ReservationRequest next = waiter.turn().next();
			if (next != null && this.unanswered.contains(next.id())) {
				return false;
			}
			this.waiters.add(waiter);
			if (this.underWay == 0 || this.shortest >= LONGEST_WAIT.toNanos()) {
				together = take(waiter);
			}
		}
		send(together);
		return true;
	}

	private synchronized List<WaitingTurn> takeUnlessSent(WaitingTurn waiter) {
		return waiter.isSent() ? List.of() : take(waiter);
	}

	private synchronized List<WaitingTurn> takeNext(long took) {
		this.underWay--;
		this.shortest = Math.min(took, this.shortest + this.shortest / PARTS + 1);
		WaitingTurn first = this.waiters.peek();
		return (first != null) ? take(first) : List.of();
	}

	/**
	 * Takes a waiter, and others that fit to it, for one call.
	 */
	private List<WaitingTurn> take(WaitingTurn first) {
		List<WaitingTurn> taken = new ArrayList<>();
		this.waiters.remove(first);
		taken.add(first);
		int size = first.turn().size();
		for (Iterator<WaitingTurn> others = this.waiters.iterator(); others.hasNext();) {
			WaitingTurn other = others.next();
			if (other.turn().fits(first.turn()) && size + other.turn().size() <= LARGEST_CALL
					&& wasFirst(other.turn().next())) {
				others.remove();
				taken.add(other);
				size += other.turn().size();
			}
		}
		taken.forEach(WaitingTurn::markSent);
		ReservationRequest request = first.turn().next();
		if (request != null) {
			this.firstAt.put(request.poller(), this.nanoTime.getAsLong());
		}
		this.underWay++;
		return taken;
	}

	private boolean wasFirst(@Nullable ReservationRequest request) {
		Long at = (request != null) ? this.firstAt.get(request.poller()) : null;
		return at != null && this.nanoTime.getAsLong() - at < FIRST_AGAIN.toNanos();
	}

	private void send(List<WaitingTurn> together) {
		if (together.isEmpty()) {
			return;
		}
		List<PlainTurn> turns = new ArrayList<>(together.size());
		together.forEach((waiter) -> turns.add(waiter.turn()));
		long sentAt = this.nanoTime.getAsLong();
		CompletionStage<List<Object>> reply = null;
		try {
			reply = this.script.send(turns);
		}
		catch (RuntimeException ex) {
			logger.debug(FAILED, ex);
		}
		if (reply == null) {
			end(together, sentAt, null);
			return;
		}
		CompletableFuture<List<Object>> call = reply.toCompletableFuture();
		together.forEach((waiter) -> waiter.setCall(call));
		call.whenComplete((values, failure) -> end(together, sentAt, read(values, failure, turns)));
	}

	private @Nullable List<TurnReply> read(@Nullable List<Object> values, @Nullable Throwable failure,
			List<PlainTurn> turns) {
		try {
			if (values != null) {
				return this.script.read(values, turns);
			}
			logger.debug(FAILED, failure);
		}
		catch (RuntimeException ex) {
			logger.debug(FAILED, ex);
		}
		ReservationRequest request = turns.get(0).next();
		if (request != null) {
			synchronized (this) {
				this.unanswered.add(request.id());
			}
		}
		return null;
	}

	private void end(List<WaitingTurn> together, long sentAt, @Nullable List<TurnReply> replies) {
		try {
			send(takeNext(this.nanoTime.getAsLong() - sentAt));
		}
		finally {
			for (int i = 0; i < together.size(); i++) {
				together.get(i).end((replies != null) ? replies.get(i) : null);
			}
		}
	}

	/**
	 * Ends the waiting of a turn without a reply. A call without a reply ends for all of
	 * its turns.
	 */
	private void abandon(WaitingTurn waiter) {
		synchronized (this) {
			this.waiters.remove(waiter);
		}
		waiter.cancel();
	}

}
