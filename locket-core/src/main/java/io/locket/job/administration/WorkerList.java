package io.locket.job.administration;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.locket.queue.QueueUnavailableException;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.JobStore.PollRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reader of the processes that take jobs. An idle process does not record its polls. So
 * the reader requests them if a process was not seen for half a minute, and waits for
 * them for a short time. Thread-safe.
 */
final class WorkerList {

	/**
	 * Pauses before the reader checks for requested polls, each twice as long as the one
	 * before, in milliseconds: 310 together. A process that polls later is seen by the
	 * next call.
	 */
	private static final int FIRST_PAUSE = 10;

	private static final int LAST_PAUSE = 160;

	private static final Log logger = LogFactory.getLog(WorkerList.class);

	private final JobStore store;

	WorkerList(JobStore store) {
		this.store = store;
	}

	List<WorkerInfo> read() {
		List<WorkerInfo> workers = this.store.workers();
		PollRequest request = request(workers).orElse(null);
		for (int pause = FIRST_PAUSE; pause <= LAST_PAUSE && request != null
				&& workers.stream().anyMatch(request::awaits) && isPast(pause); pause *= 2) {
			workers = this.store.workers();
		}
		return workers;
	}

	private Optional<PollRequest> request(List<WorkerInfo> workers) {
		Optional<Instant> oldest = workers.stream().map(WorkerInfo::lastSeen).min(Comparator.naturalOrder());
		try {
			return oldest.flatMap(this.store::requestPolls);
		}
		catch (QueueUnavailableException ex) {
			// The processes are known all the same, for example if Redis refuses writes.
			logger.debug("Could not request the polls of idle workers, which may be shown as seen earlier", ex);
			return Optional.empty();
		}
	}

	/**
	 * Waits until a pause is past.
	 * @return {@code false} if the thread was interrupted
	 */
	private static boolean isPast(int pause) {
		try {
			TimeUnit.MILLISECONDS.sleep(pause);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
