package io.locket.metrics;

import java.util.function.LongSupplier;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeadershipGained;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Tells whether this process leads, as {@link LocketMeters} says. Whether it does is
 * looked up whenever it is asked for; events only tell of terms that have ended before
 * anybody asked. Thread-safe.
 */
public final class LeaderMetrics implements JobEventListener, MeterBinder {

	private final LongSupplier term;

	private volatile long lastTerm;

	/**
	 * Create gauges.
	 * @param term gives the term in which this process leads, or {@code 0} if it does
	 * not; asks nobody
	 */
	public LeaderMetrics(LongSupplier term) {
		this.term = term;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		RegistryMeters meters = new RegistryMeters(registry, new TagValues());
		meters.gauge(LocketMeters.LEADER, this, (self) -> (self.term.getAsLong() != 0) ? 1 : 0);
		meters.gauge(LocketMeters.LEADER_TERM, this, LeaderMetrics::lastTerm);
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof LeadershipGained gained) {
			this.lastTerm = gained.term();
		}
	}

	private long lastTerm() {
		long current = this.term.getAsLong();
		if (current != 0) {
			this.lastTerm = current;
		}
		return this.lastTerm;
	}

}
