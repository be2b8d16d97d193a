package io.locket.actuate;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

import io.locket.event.JobDuplicated;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.JobReclaimed;
import io.locket.event.LeaseLost;

/**
 * Totals of the events of this process that the store does not count. Thread-safe.
 */
public final class EventTotals implements JobEventListener {

	private final Instant since;

	private final LongAdder reclaimed = new LongAdder();

	private final LongAdder duplicates = new LongAdder();

	private final LongAdder lostLeases = new LongAdder();

	/**
	 * Creates totals that begin at zero.
	 * @param clock the clock of this process
	 */
	public EventTotals(Clock clock) {
		this.since = clock.instant();
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof JobDuplicated) {
			this.duplicates.increment();
		}
		else if (event instanceof JobReclaimed) {
			this.reclaimed.increment();
		}
		else if (event instanceof LeaseLost) {
			this.lostLeases.increment();
		}
	}

	EventTotalsDescriptor describe() {
		return new EventTotalsDescriptor(this.since, this.reclaimed.sum(), this.duplicates.sum(),
				this.lostLeases.sum());
	}

	/**
	 * Totals of events of the responding process.
	 *
	 * @param since the start of the process
	 * @param reclaimed the number of jobs that it took from dead workers
	 * @param duplicates the number of jobs that it did not enqueue because another job
	 * had their key
	 * @param lostLeases the number of leases that it lost while their bodies ran
	 */
	public record EventTotalsDescriptor(Instant since, long reclaimed, long duplicates, long lostLeases) {

	}

}
