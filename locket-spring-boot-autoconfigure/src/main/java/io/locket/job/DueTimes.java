package io.locket.job;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import io.locket.queue.DueTime;
import io.locket.queue.DueTimeListing;
import io.locket.queue.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * The due times of a queue, which are asked for when they are needed.
 */
final class DueTimes implements Iterator<DueTime> {

	private final JobStore store;

	private final String queue;

	private final int limit;

	private final Deque<DueTime> page = new ArrayDeque<>();

	private @Nullable Instant from;

	private boolean over;

	/**
	 * Create an iterator.
	 * @param store where the jobs are
	 * @param queue the queue
	 * @param from the earliest time, or {@code null} for all
	 * @param limit how many times are asked for at once, from 1 to 100
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
			List<DueTime> times = this.store.dueTimes(new DueTimeListing(this.queue, this.from, this.limit));
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
