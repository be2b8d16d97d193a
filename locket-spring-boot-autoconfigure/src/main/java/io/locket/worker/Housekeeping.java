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

	/**
	 * How long it sleeps at the most: a slot that looks meanwhile may learn that
	 * something is due sooner than anybody knew.
	 */
	private static final Duration GLANCE = Duration.ofMillis(100);

	private final JobQueue queue;

	private final QueueCalls calls;

	private final WorkerStop stop;

	private final WorkListener listener;

	private final String lane;

	private final String instance;

	private final Duration interval;

	private final ThreadWatch watch;

	private JobQueue.@Nullable Listening listening;

	Housekeeping(JobQueue queue, QueueCalls calls, WorkerStop stop, WorkListener listener, String lane, String instance,
			Duration interval, ThreadWatch watch) {
		this.queue = queue;
		this.calls = calls;
		this.stop = stop;
		this.listener = listener;
		this.lane = lane;
		this.instance = instance;
		this.interval = interval;
		this.watch = watch;
	}

	@Override
	public void run() {
		try {
			work();
		}
		finally {
			this.watch.ends();
		}
	}

	private void work() {
		while (!this.stop.isStopping()) {
			try {
				this.watch.does(ThreadWatch.Doing.WORK);
				listen();
				Duration wait = this.calls.untilLookIsLate(this.interval);
				if (wait.isZero()) {
					serve();
				}
				else {
					this.stop.pause((wait.compareTo(GLANCE) < 0) ? wait : GLANCE);
				}
			}
			catch (Throwable ex) {
				logger.error(
						"The housekeeping of the workers failed in an unforeseen way and goes on: report this as a defect",
						ex);
				this.stop.pause(this.interval);
			}
		}
		close();
	}

	private void serve() {
		boolean more = true;
		while (more && !this.stop.isStopping()) {
			ReservationRequest request = new ReservationRequest(UUID.randomUUID().toString(), this.lane, this.instance,
					Thread.currentThread().getName(), List.of(), 0);
			this.watch.does(ThreadWatch.Doing.WORK);
			Answer answer = this.calls.send(List.of(), request, () -> true);
			more = answer != null && answer.reservation() != null && answer.reservation().cutShort();
		}
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
