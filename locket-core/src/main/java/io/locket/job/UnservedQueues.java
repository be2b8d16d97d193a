package io.locket.job;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import io.locket.queue.spi.JobStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Watch for queues into which this process enqueues and from which no worker takes jobs.
 * It warns once for each queue: jobs were ready at two checks in a row, and none was
 * taken in between. The first check is delayed, so that a replacement of workers causes
 * no warning. A queue is checked a few times, until a job was taken from it. An enqueuing
 * call costs one map access. Thread-safe.
 */
public final class UnservedQueues implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(UnservedQueues.class);

	private static final int MOST_QUEUES = 1000;

	private static final int MOST_CHECKS = 12;

	private final Supplier<@Nullable JobStore> store;

	private final ScheduledExecutorService scheduler;

	private final Duration interval;

	private final Map<String, Boolean> known = new ConcurrentHashMap<>();

	/**
	 * Creates a watch.
	 * @param store the supplier of the store, called for the first check; returns
	 * {@code null} if the queues cannot be examined
	 * @param scheduler the scheduler of the checks, which block; it is shut down with the
	 * watch
	 * @param interval the time until the first check and between the first two; later
	 * intervals increase
	 * @param served the queues that this process serves itself
	 */
	public UnservedQueues(Supplier<@Nullable JobStore> store, ScheduledExecutorService scheduler, Duration interval,
			Set<String> served) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
		this.scheduler = Objects.requireNonNull(scheduler, "'scheduler' must not be null");
		this.interval = interval;
		served.forEach((queue) -> this.known.put(queue, true));
	}

	/**
	 * Records that this process enqueues into a queue. Does no I/O.
	 * @param queue the name of the queue
	 */
	public void enqueued(String queue) {
		if (!this.known.containsKey(queue) && this.known.size() < MOST_QUEUES
				&& this.known.putIfAbsent(queue, true) == null) {
			try {
				schedule(new Check(queue, 1, null));
			}
			catch (RuntimeException | Error ex) {
				// The caller must not take this for a failure to enqueue its job.
				logger.debug("Could not schedule a check whether workers take jobs of queue '" + queue + "'", ex);
			}
		}
	}

	private void schedule(Check check) {
		long millis = this.interval.toMillis() << Math.max(0, check.number() - 2);
		if (!this.scheduler.isShutdown()) {
			this.scheduler.schedule(() -> run(check), millis, TimeUnit.MILLISECONDS);
		}
	}

	private void run(Check check) {
		Check next = check.after(null);
		try {
			JobStore queues = this.store.get();
			next = (queues != null) ? check(check, queues) : null;
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Could not check whether workers take jobs of queue '" + check.queue() + "'", ex);
		}
		if (next != null && next.number() <= MOST_CHECKS) {
			schedule(next);
		}
	}

	/**
	 * Checks a queue.
	 * @return the next check, or {@code null} if none is needed
	 */
	private @Nullable Check check(Check check, JobStore queues) {
		QueueCounts counts = queues.counts(check.queue());
		long taken = taken(counts);
		boolean waits = counts.in(JobState.READY) > 0 && !counts.paused();
		if (counts.in(JobState.RUNNING) + counts.in(JobState.RETRY) > 0
				|| (check.taken() != null && taken != check.taken())) {
			return null;
		}
		if (waits && check.waited()) {
			logger.warn("No worker takes jobs of queue '" + check.queue() + "': " + counts.in(JobState.READY)
					+ " job(s) wait, and none was taken in " + this.interval.toSeconds() + " s or more. "
					+ workers(queues)
					+ " Add the queue to locket.worker.queues of a worker of this namespace, and check that it is not busy"
					+ " with other queues all the time");
			return null;
		}
		return check.after(waits ? taken : null);
	}

	/**
	 * Returns the number of jobs that were taken, as far as the counters show: they are
	 * running, wait for a retry, or have ended.
	 */
	private static long taken(QueueCounts counts) {
		return counts.states()
			.entrySet()
			.stream()
			.filter((entry) -> !entry.getKey().isWaiting() || entry.getKey() == JobState.RETRY)
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

	private static String workers(JobStore queues) {
		int workers = queues.workers().size();
		return (workers == 0) ? "No process of this namespace takes jobs at all."
				: "Processes that took jobs of other queues within the last hour: " + workers + ".";
	}

	@Override
	public void close() {
		this.scheduler.shutdownNow();
	}

	/**
	 * Check of a queue.
	 *
	 * @param queue the queue
	 * @param number the number of the check, from 1
	 * @param taken the number of jobs taken before the last check, or {@code null} if
	 * none was waiting then
	 */
	private record Check(String queue, int number, @Nullable Long taken) {

		boolean waited() {
			return this.taken != null;
		}

		Check after(@Nullable Long takenNow) {
			return new Check(this.queue, this.number + 1, takenNow);
		}

	}

}
