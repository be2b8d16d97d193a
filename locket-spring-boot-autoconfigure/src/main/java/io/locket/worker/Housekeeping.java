package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.locket.queue.JobQueue;
import io.locket.queue.ReservationRequest;
import io.locket.queue.WorkListener;
import io.locket.worker.QueueCalls.Answer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Serves what is due while all slots are busy, and keeps the worker listening for news.
 * Its thread keeps the process alive until the worker stops.
 */
final class Housekeeping implements Runnable {

	private static final Log logger = LogFactory.getLog(Housekeeping.class);

	private final JobQueue queue;

	private final QueueCalls calls;

	private final WorkerStop stop;

	private final WorkListener listener;

	private final String instance;

	private final Duration interval;

	private JobQueue.@Nullable Listening listening;

	Housekeeping(JobQueue queue, QueueCalls calls, WorkerStop stop, WorkListener listener, String instance,
			Duration interval) {
		this.queue = queue;
		this.calls = calls;
		this.stop = stop;
		this.listener = listener;
		this.instance = instance;
		this.interval = interval;
	}

	@Override
	public void run() {
		String lane = this.instance + "/housekeeping-" + UUID.randomUUID();
		Duration pause = Duration.ZERO;
		while (!this.stop.isStopping()) {
			try {
				listen();
				this.stop.pause(pause);
				pause = (this.calls.sinceLastReservation().compareTo(slack()) > 0) ? serve(lane) : this.interval;
			}
			catch (Throwable ex) {
				logger.error("The housekeeping of the workers failed in an unforeseen way and goes on", ex);
				pause = this.interval;
			}
		}
		close();
	}

	private Duration slack() {
		return this.interval.plus(this.interval.dividedBy(10));
	}

	private Duration serve(String lane) {
		if (this.stop.isStopping()) {
			return Duration.ZERO;
		}
		ReservationRequest request = new ReservationRequest(UUID.randomUUID().toString(), lane, this.instance,
				Thread.currentThread().getName(), List.of(), 0);
		Answer answer = this.calls.send(List.of(), request, () -> true);
		boolean more = answer != null && answer.reservation() != null && answer.reservation().cutShort();
		return more ? Duration.ZERO : this.interval;
	}

	/**
	 * Listen, or try again later: without the store a worker begins all the same.
	 */
	private void listen() {
		if (this.listening != null) {
			return;
		}
		try {
			this.listening = this.queue.listen(this.listener);
			this.listener.onWork(null);
		}
		catch (RuntimeException ex) {
			logger.debug("Nobody tells the workers of new jobs yet; they look from time to time", ex);
		}
	}

	private void close() {
		JobQueue.Listening current = this.listening;
		if (current == null) {
			return;
		}
		try {
			current.close();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not end the listening for new jobs", ex);
		}
	}

}
