package io.locket.job.administration;

import java.util.Iterator;
import java.util.NoSuchElementException;

import io.locket.queue.DueTime;
import org.jspecify.annotations.Nullable;

/**
 * Iterator of ordered due times that sums up the jobs of equal times.
 */
final class SummedTimes implements Iterator<DueTime> {

	private final Iterator<DueTime> times;

	private @Nullable DueTime next;

	SummedTimes(Iterator<DueTime> times) {
		this.times = times;
		this.next = times.hasNext() ? times.next() : null;
	}

	@Override
	public boolean hasNext() {
		return this.next != null;
	}

	@Override
	public DueTime next() {
		DueTime sum = this.next;
		if (sum == null) {
			throw new NoSuchElementException();
		}
		this.next = null;
		while (this.next == null && this.times.hasNext()) {
			DueTime time = this.times.next();
			if (time.time().equals(sum.time())) {
				sum = new DueTime(sum.time(), sum.jobs() + time.jobs());
			}
			else {
				this.next = time;
			}
		}
		return sum;
	}

}
