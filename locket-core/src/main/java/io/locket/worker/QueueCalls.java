package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.locket.log.OutageLog;
import io.locket.log.SafeLog;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import io.locket.worker.reservation.CallBackoff;
import org.jspecify.annotations.Nullable;

import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Calls of the queue that are repeated unchanged, with back-off, until there is a reply.
 * A call without a reply may have been executed. Thread-safe.
 */
final class QueueCalls {

	private static final BackOff BACKOFF = CallBackoff.upTo(Duration.ofSeconds(5));

	/**
	 * Time after the beginning of a shutdown for which a reservation is repeated, because
	 * it may hold jobs that have to be returned.
	 */
	private static final Duration LAST_RESERVATION = Duration.ofSeconds(5);

	private static final Duration LATE = Duration.ofMillis(50);

	private final JobQueue queue;

	private final WorkerStop stop;

	private final OutageLog outage;

	private final LongSupplier nanoTime;

	private final CallWatch watch;

	private volatile Poll lastPoll;

	QueueCalls(JobQueue queue, WorkerStop stop, OutageLog outage, CallWatch watch, LongSupplier nanoTime) {
		this.queue = queue;
		this.stop = stop;
		this.outage = outage;
		this.watch = watch;
		this.nanoTime = nanoTime;
		this.lastPoll = new Poll(nanoTime.getAsLong(), null);
	}

	/**
	 * Returns the time until a request of this process for jobs is overdue. Waiting slots
	 * are expected to poll first.
	 * @param interval the maximum time between two requests
	 */
	Duration untilPollIsOverdue(Duration interval) {
		Poll poll = this.lastPoll;
		Duration next = poll.next();
		Duration due = (next != null && next.compareTo(interval) < 0) ? next : interval;
		long lateAt = poll.at() + due.toNanos() + LATE.toNanos();
		return Duration.ofNanos(Math.max(0, lateAt - this.nanoTime.getAsLong()));
	}

	/**
	 * Ends runs and requests the next jobs.
	 * @param ends the ends, or none
	 * @param next the request, or {@code null} for none
	 * @param hopeless whether the ends would no longer count; evaluated when the shutdown
	 * no longer waits for this worker
	 * @return the reply, or {@code null} if the worker stops and a repetition is useless
	 */
	@Nullable Reply send(List<RunEnd> ends, @Nullable ReservationRequest next, BooleanSupplier hopeless) {
		long sentAt = this.nanoTime.getAsLong();
		BackOffExecution pauses = null;
		while (true) {
			// A store fails at once on a thread that is still interrupted.
			Thread.interrupted();
			try {
				Reply reply = call(ends, next, sentAt);
				SafeLog.write(this.outage::succeeded);
				this.watch.succeeded();
				return reply;
			}
			catch (RuntimeException | Error ex) {
				SafeLog.write(() -> this.outage.failed(ex));
				this.watch.failed(ex);
			}
			boolean worthless = ends.isEmpty() ? this.stop.isStoppingFor(LAST_RESERVATION)
					: this.stop.isOver() && hopeless.getAsBoolean();
			if (worthless) {
				return null;
			}
			pauses = (pauses != null) ? pauses : BACKOFF.start();
			this.stop.pause(Duration.ofMillis(pauses.nextBackOff()));
		}
	}

	private Reply call(List<RunEnd> ends, @Nullable ReservationRequest next, long sentAt) {
		Reply reply;
		if (ends.isEmpty() && next != null) {
			reply = new Reply(List.of(), this.queue.reserve(next), sentAt);
		}
		else {
			Settlement settlement = this.queue.settle(ends, next);
			reply = new Reply(settlement.ends(), settlement.next(), sentAt);
		}
		Reservation reservation = reply.reservation();
		if (reservation != null) {
			this.lastPoll = new Poll(this.nanoTime.getAsLong(), reservation.next());
		}
		return reply;
	}

	/**
	 * Request for jobs that got a reply.
	 *
	 * @param at the time of the reply
	 * @param next the time from then until something is due, or {@code null} if nothing
	 * is
	 */
	private record Poll(long at, @Nullable Duration next) {

	}

	/**
	 * Reply of the queue.
	 *
	 * @param ends the results of the ends
	 * @param reservation the next jobs, or {@code null} if none were requested
	 * @param sentAt the time of the first sending of the call, by the monotonic clock
	 */
	record Reply(List<EndResult> ends, @Nullable Reservation reservation, long sentAt) {

	}

}
