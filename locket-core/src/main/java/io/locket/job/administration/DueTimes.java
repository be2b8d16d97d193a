package io.locket.job.administration;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import io.locket.queue.DueTime;
import io.locket.queue.spi.DueTimeQuery;
import io.locket.queue.spi.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Iterator of the due times of a queue, which are fetched when they are needed.
 */
final class DueTimes implements Iterator<DueTime> {

	private final JobStore store;

	private final String queue;

	private final int limit;

	private final Deque<DueTime> page = new ArrayDeque<>();

	private @Nullable Instant from;

	private boolean over;

	/**
	 * Creates an iterator.
	 * @param store the store of the jobs
	 * @param queue the queue
	 * @param from the earliest time, inclusive, or {@code null} for all
	 * @param limit the number of times to fetch at once, from 1 to 100
	 */
	DueTimes(JobStore store, String queue, @Nullable Instant from, int limit) {
		this.store = store;
		this.queue = queue;
		this.from = from;
		this.limit = limit;
	}

	@Override
	public boolean hasNext() {
		if (this.page.isEmpty() && !this.over) {
			List<DueTime> times = this.store.dueTimes(new DueTimeQuery(this.queue, this.from, this.limit));
			this.page.addAll(times);
			this.over = times.size() < this.limit;
			this.from = times.isEmpty() ? null : times.get(times.size() - 1).time().plusMillis(1);
		}
		return !this.page.isEmpty();
	}

	@Override
	public DueTime next() {
		if (!hasNext()) {
			throw new NoSuchElementException();
		}
		return this.page.remove();
	}

}
