package io.locket.worker;

import java.time.Duration;
import java.util.List;

import io.locket.log.SafeLog;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.WorkListener;
import io.locket.worker.QueueCalls.Reply;
import io.locket.worker.reservation.RequestIds;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Housekeeping thread of the workers. It processes due work while all slots are busy,
 * settles jobs that are held too long in a batch, and listens for notifications. It keeps
 * the process alive until the worker stops.
 */
final class Housekeeping implements Runnable {

	private static final Log logger = LogFactory.getLog(Housekeeping.class);

	/**
	 * Maximum pause, because a poll by a slot may find an earlier due time meanwhile.
	 */
	private static final Duration TICK = Duration.ofMillis(100);

	private final JobQueue queue;

	private final WorkerLoop loop;

	private final WorkListener listener;

	private final Runnable atTick;

	private final String poller;

	private final String instance;

	private final Duration interval;

	private JobQueue.@Nullable Listening listening;

	/**
	 * Creates the housekeeping of a worker.
	 * @param queue the queue that sends notifications
	 * @param loop the loop of its thread
	 * @param listener the listener of notifications
	 * @param atTick the task to run each time, about ten times a second
	 * @param poller the name of its poller
	 * @param instance the name of this process
	 * @param interval the maximum time between two polls
	 */
	Housekeeping(JobQueue queue, WorkerLoop loop, WorkListener listener, Runnable atTick, String poller,
			String instance, Duration interval) {
		this.queue = queue;
		this.loop = loop;
		this.listener = listener;
		this.atTick = atTick;
		this.poller = poller;
		this.instance = instance;
		this.interval = interval;
	}

	@Override
	public void run() {
		this.loop.run(this::work);
	}

	private void work() {
		while (!this.loop.stop().isStopping()) {
			try {
				this.loop.watch().begin(ThreadWatch.Activity.WORK);
				listen();
				this.atTick.run();
				Duration wait = this.loop.calls().untilPollIsOverdue(this.interval);
				if (wait.isZero()) {
					serve();
				}
				else {
					this.loop.stop().pause((wait.compareTo(TICK) < 0) ? wait : TICK);
				}
			}
			catch (Throwable ex) {
				SafeLog.write(() -> logger.error(
						"The housekeeping of the workers failed unexpectedly and continues. Report this as a bug", ex));
				this.loop.stop().pause(this.interval);
			}
		}
		close();
	}

	private void serve() {
		boolean more = true;
		while (more && !this.loop.stop().isStopping()) {
			ReservationRequest request = new ReservationRequest(RequestIds.next(), this.poller, this.instance,
					Thread.currentThread().getName(), List.of(), 0);
			this.loop.watch().begin(ThreadWatch.Activity.WORK);
			Reply reply = this.loop.calls().send(List.of(), request, () -> true);
			more = reply != null && reply.reservation() != null && reply.reservation().cutShort();
		}
	}

	/**
	 * Subscribes, or retries later. A worker starts without the store, too.
	 */
	private void listen() {
		if (this.listening != null) {
			return;
		}
		try {
			this.listening = this.queue.listen(this.listener);
			this.listener.onWork(null);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Workers are not notified of new jobs yet; they poll", ex);
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
			logger.debug("Could not end the subscription for new jobs", ex);
		}
	}

}
