package io.locket.metrics;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Tells whether this process leads, as {@link LocketMeters} says. Thread-safe.
 */
public final class LeaderMetrics implements JobEventListener, MeterBinder {

	private volatile Leadership leadership = new Leadership(false, 0);

	@Override
	public void bindTo(MeterRegistry registry) {
		RegistryMeters meters = new RegistryMeters(registry, new TagValues());
		meters.gauge(LocketMeters.LEADER, this, (self) -> self.leadership.leads() ? 1 : 0);
		meters.gauge(LocketMeters.LEADER_TERM, this, (self) -> self.leadership.term());
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof LeadershipGained gained) {
			this.leadership = new Leadership(true, gained.term());
		}
		else if (event instanceof LeadershipLost lost) {
			this.leadership = new Leadership(false, lost.term());
		}
	}

	private record Leadership(boolean leads, long term) {

	}

}
