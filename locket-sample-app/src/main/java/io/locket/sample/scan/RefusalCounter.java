package io.locket.sample.scan;

import java.util.concurrent.atomic.LongAdder;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseConflicted;

import org.springframework.stereotype.Component;

/**
 * Counts the inspections that Locket refuses in this replica, as its events tell.
 */
@Component
class RefusalCounter implements JobEventListener {

	private final LongAdder refused = new LongAdder();

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof LeaseConflicted conflict && ArtifactInspector.JOB.equals(conflict.key().job())) {
			this.refused.increment();
		}
	}

	long refused() {
		return this.refused.sum();
	}

}
