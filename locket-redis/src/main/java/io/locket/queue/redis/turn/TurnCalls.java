package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.locket.queue.spi.ReservationRequest;
import io.locket.redis.RedisFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;

/**
 * Calls of a {@link TurnScript} that serve the turns of several threads together, because
 * a call costs Redis little more for many turns than for one. While a call is under way,
 * later turns wait for its reply. The next call serves all that wait and fit each other.
 * The thread that receives a reply sends it, so Redis is not idle meanwhile. A call that
 * is full is sent before the reply, while one other is under way. If calls take long,
 * because of the network or because Redis is busy, turns do not wait for the reply, but
 * only for turns that come at about the same time. Thread-safe.
 * <p>
 * A call for several turns is a reservation of its own. If it fails, each turn has to be
 * repeated alone. The jobs that it may have reserved have to be returned before the
 * poller of the first turn makes another request. This also holds if the script has done
 * nothing: the driver sends a call again after a reconnect, and its first copy may have
 * been executed.
 */
public final class TurnCalls {

	/**
	 * Maximum sum of the sizes of the turns of a call for several turns, which bounds the
	 * time of the script.
	 */
	static final int LARGEST_CALL = 32;

	/**
	 * Period in which each poller is the first one of a call, so that the store lists it.
	 */
	static final Duration FIRST_AGAIN = Duration.ofSeconds(30);

	private static final String FAILED = "A call for worker threads failed. Each of its turns is repeated alone";

	private static final Log logger = LogFactory.getLog(TurnCalls.class);

	/**
	 * End of the id of a request that may share a call.
	 */
	private static final String SHARED = "9";

	private final TurnScript script;

	private final char lastDigit;

	private final long timeout;

	private final LongSupplier nanoTime;

	private final Deque<WaitingTurn> waiters = new ArrayDeque<>();

	private final Map<String, Long> firstAt = new HashMap<>();

	private final FailedRequests failedRequests;

	private final ReplyWait replyWait = new ReplyWait();

	/**
	 * First turn of the latest call.
	 */
	private @Nullable PlainTurn latest;

	private int underWay;

	/**
	 * Creates calls.
	 * @param script the script
	 * @param lastDigit the end of the id of a reservation for several turns, in place of
	 * the last digit of the request id of the first one. Each script has another one,
	 * less than those of the scripts after it, because the same turns may request jobs
	 * from several scripts
	 * @param failedRequests receives the reservations that are lost
	 * @param timeout the maximum time from the beginning of a turn to its reply
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public TurnCalls(TurnScript script, char lastDigit, FailedRequests failedRequests, Duration timeout,
			LongSupplier nanoTime) {
		this.script = script;
		this.lastDigit = lastDigit;
		this.failedRequests = failedRequests;
		this.timeout = timeout.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Serves a turn. An interrupt does not end this call, and stays pending.
	 * @param turn the turn
	 * @return the reply, or {@code null} if the turn has to be repeated alone
	 * @throws QueryTimeoutException if the call was cancelled
	 */
	public @Nullable TurnReply serve(PlainTurn turn) {
		if (turn.next() == null || turn.slots() == 0 || !turn.next().id().endsWith(SHARED)) {
			return null;
		}
		WaitingTurn waiter = new WaitingTurn(turn, this.nanoTime.getAsLong());
		send(begin(waiter));
		boolean interrupted = false;
		while (!waiter.isServed()) {
			// Read once, because another thread may send the turn at any time.
			boolean isSent = waiter.isSent();
			long waited = this.nanoTime.getAsLong() - waiter.since();
			long longest = isSent ? this.timeout : this.replyWait.nanos();
			if (waited < longest) {
				LockSupport.parkNanos(this, longest - waited);
			}
			else if (!isSent) {
				send(takeUnlessSent(waiter));
			}
			else {
				// A call either is cancelled or has its reply, and ends for all of its
				// turns.
				waiter.cancel();
				LockSupport.parkNanos(this, ReplyWait.LONGEST.toNanos());
			}
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return waiter.reply();
	}

	/**
	 * Returns the number of turns that wait to be sent.
	 */
	synchronized int waiting() {
		return this.waiters.size();
	}

	private synchronized List<WaitingTurn> begin(WaitingTurn waiter) {
		this.waiters.add(waiter);
		boolean waits = this.underWay > 0 && this.latest != null && this.latest.fits(waiter.turn());
		return waits ? takeIfDue() : take(waiter);
	}

	private synchronized List<WaitingTurn> takeUnlessSent(WaitingTurn waiter) {
		return waiter.isSent() ? List.of() : take(waiter);
	}

	private synchronized List<WaitingTurn> takeNext() {
		this.underWay--;
		return takeIfDue();
	}

	/**
	 * Takes the next call, if no call is under way, or if it is full and only one is.
	 */
	private List<WaitingTurn> takeIfDue() {
		WaitingTurn first = this.waiters.peek();
		boolean isDue = first != null && (this.underWay == 0 || (this.underWay == 1 && isNextFull()));
		return isDue ? take(first) : List.of();
	}

	private boolean isNextFull() {
		int size = 0;
		for (WaitingTurn waiter : this.waiters) {
			size += waiter.turn().size();
		}
		return size >= LARGEST_CALL;
	}

	/**
	 * Takes a waiter, and others that fit to it, for one call.
	 */
	private List<WaitingTurn> take(WaitingTurn first) {
		this.waiters.remove(first);
		List<WaitingTurn> taken = new ArrayList<>();
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
		this.firstAt.put(Objects.requireNonNull(first.turn().next()).poller(), this.nanoTime.getAsLong());
		this.latest = first.turn();
		taken.forEach(WaitingTurn::markSent);
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
		boolean isUnderWay = false;
		try {
			isUnderWay = sendTogether(together);
		}
		finally {
			if (!isUnderWay) {
				end(together, null, false);
			}
		}
	}

	/**
	 * Sends a call. If this fails, Redis may have received it nevertheless.
	 * @return whether the call is under way, and ends for its turns by itself
	 */
	private boolean sendTogether(List<WaitingTurn> together) {
		List<PlainTurn> turns = new ArrayList<>(together.size());
		together.forEach((waiter) -> turns.add(waiter.turn()));
		ReservationRequest reservation = reservation(turns);
		long sentAt = this.nanoTime.getAsLong();
		try {
			CompletionStage<List<Object>> reply = this.script.send(turns, reservation);
			if (reply == null) {
				return false;
			}
			CompletableFuture<List<Object>> call = reply.toCompletableFuture();
			together.forEach((waiter) -> waiter.setCall(call));
			call.whenComplete((values, failure) -> {
				List<TurnReply> replies = null;
				try {
					replies = read(values, failure, turns);
					if (replies == null) {
						lose(turns, reservation, failure);
					}
					else {
						onReply(replies, turns, reservation, this.nanoTime.getAsLong() - sentAt);
					}
				}
				finally {
					end(together, replies, failure instanceof CancellationException);
				}
			});
			return true;
		}
		catch (RuntimeException | Error ex) {
			logger.debug(FAILED, ex);
			lose(turns, reservation, ex);
			return false;
		}
	}

	private void onReply(List<TurnReply> replies, List<PlainTurn> turns, ReservationRequest reservation, long took) {
		this.replyWait.replied(took);
		if (turns.size() > 1 && replies.contains(TurnReply.NOTHING)) {
			// An earlier copy of the call may have reserved jobs.
			this.failedRequests.lost(reservation);
		}
	}

	/**
	 * Handles a reservation that failed, whose jobs no turn may have. That of a single
	 * turn is repeated by its caller. An error reply is for example that to a script
	 * which Redis does not know yet.
	 */
	private void lose(List<PlainTurn> turns, ReservationRequest reservation, @Nullable Throwable failure) {
		if (turns.size() > 1) {
			this.failedRequests.lost(reservation);
		}
		else if (failure == null || !RedisFailure.of(failure).isReply()) {
			this.failedRequests.failed(reservation);
		}
	}

	/**
	 * Returns the reservation of some turns: the request of a single turn, and another
	 * one for several.
	 */
	private ReservationRequest reservation(List<PlainTurn> turns) {
		ReservationRequest first = Objects.requireNonNull(turns.get(0).next());
		if (turns.size() == 1) {
			return first;
		}
		String id = first.id().substring(0, first.id().length() - 1) + this.lastDigit;
		return new ReservationRequest(id, first.poller(), first.instance(), first.thread(), first.queues(), 0,
				first.leavesOut());
	}

	private @Nullable List<TurnReply> read(@Nullable List<Object> values, @Nullable Throwable failure,
			List<PlainTurn> turns) {
		try {
			if (values != null) {
				return this.script.read(values, turns);
			}
			logger.debug(FAILED, failure);
		}
		catch (RuntimeException | Error ex) {
			logger.debug(FAILED, ex);
		}
		return null;
	}

	private void end(List<WaitingTurn> together, @Nullable List<TurnReply> replies, boolean timedOut) {
		try {
			send(takeNext());
		}
		finally {
			for (int i = 0; i < together.size(); i++) {
				together.get(i).end((replies != null) ? replies.get(i) : null, timedOut);
			}
		}
	}

}
