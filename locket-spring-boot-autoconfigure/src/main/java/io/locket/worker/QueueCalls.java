package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.locket.queue.EndResult;
import io.locket.queue.JobQueue;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.RunEnd;
import io.locket.queue.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the queue that are repeated as they are, with back-off, until it answers: it
 * may have done what it was asked when its answer did not come.
 */
final class QueueCalls {

	private static final CallBackoff BACKOFF = new CallBackoff(Duration.ofSeconds(5));

	/**
	 * How long after the beginning of a shutdown a reservation is repeated: it may hold
	 * jobs that have to go back.
	 */
	private static final Duration LAST_RESERVATION = Duration.ofSeconds(5);

	private static final Duration LATE = Duration.ofMillis(50);

	private final JobQueue queue;

	private final WorkerStop stop;

	private final OutageLog outage;

	private final LongSupplier nanoTime;

	private final AnswerWatch answers;

	private volatile Look lastLook;

	QueueCalls(JobQueue queue, WorkerStop stop, OutageLog outage, AnswerWatch answers, LongSupplier nanoTime) {
		this.queue = queue;
		this.stop = stop;
		this.outage = outage;
		this.answers = answers;
		this.nanoTime = nanoTime;
		this.lastLook = new Look(nanoTime.getAsLong(), null);
	}

	/**
	 * Return after what time nobody of this process will have asked for jobs although
	 * somebody should have: those who wait for work ask first.
	 * @param interval the longest time between two requests
	 */
	Duration untilLookIsLate(Duration interval) {
		Look look = this.lastLook;
		Duration next = look.next();
		Duration due = (next != null && next.compareTo(interval) < 0) ? next : interval;
		long lateAt = look.at() + due.toNanos() + LATE.toNanos();
		return Duration.ofNanos(Math.max(0, lateAt - this.nanoTime.getAsLong()));
	}

	/**
	 * End runs and ask for the next jobs.
	 * @param ends the ends, or none
	 * @param next what to ask for, or {@code null} for nothing
	 * @param hopeless whether the ends would not count any more; asked when nobody waits
	 * for this worker any more
	 * @return the answer, or {@code null} if the worker stops and it is not worth going
	 * on
	 */
	@Nullable Answer send(List<RunEnd> ends, @Nullable ReservationRequest next, BooleanSupplier hopeless) {
		long sentAt = this.nanoTime.getAsLong();
		for (int failures = 0;; failures++) {
			// A store gives up at once on a thread that is still flagged.
			Thread.interrupted();
			try {
				Answer answer = ask(ends, next, sentAt);
				this.outage.answered();
				this.answers.answered();
				return answer;
			}
			catch (RuntimeException | Error ex) {
				this.outage.failed(ex);
				this.answers.failed(ex);
			}
			boolean worthless = ends.isEmpty() ? this.stop.isStoppingFor(LAST_RESERVATION)
					: this.stop.isOver() && hopeless.getAsBoolean();
			if (worthless) {
				return null;
			}
			this.stop.pause(BACKOFF.after(failures));
		}
	}

	private Answer ask(List<RunEnd> ends, @Nullable ReservationRequest next, long sentAt) {
		Answer answer;
		if (ends.isEmpty() && next != null) {
			answer = new Answer(List.of(), this.queue.reserve(next), sentAt);
		}
		else {
			Settlement settlement = this.queue.settle(ends, next);
			answer = new Answer(settlement.ends(), settlement.next(), sentAt);
		}
		Reservation reservation = answer.reservation();
		if (reservation != null) {
			this.lastLook = new Look(this.nanoTime.getAsLong(), reservation.next());
		}
		return answer;
	}

	/**
	 * A request for jobs that was answered.
	 *
	 * @param at when it was answered
	 * @param next when something is due from then on, or {@code null} if nothing is
	 */
	private record Look(long at, @Nullable Duration next) {

	}

	/**
	 * An answer of the queue.
	 *
	 * @param ends what became of the ends
	 * @param reservation the next jobs, or {@code null} if none were asked for
	 * @param sentAt when the call was first sent, by the monotonic clock
	 */
	record Answer(List<EndResult> ends, @Nullable Reservation reservation, long sentAt) {

	}

}
