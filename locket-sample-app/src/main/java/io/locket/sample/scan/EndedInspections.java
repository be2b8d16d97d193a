package io.locket.sample.scan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.JobState;
import io.locket.event.JobEnded;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Listener that records the ends of inspections in this replica during a scan.
 */
@Component
class EndedInspections implements JobEventListener {

	private final Map<String, JobState> states = new ConcurrentHashMap<>();

	private volatile boolean watching;

	@Override
	public void onEvent(JobEvent event) {
		if (this.watching && event instanceof JobEnded ended && ArtifactInspector.JOB.equals(ended.job())) {
			this.states.put(ended.id(), ended.state());
		}
	}

	@Nullable JobState take(String id) {
		return this.states.remove(id);
	}

	void begin() {
		this.watching = true;
	}

	void end() {
		this.watching = false;
		this.states.clear();
	}

}
