package io.locket.examples.tracing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.JobKey;
import io.locket.observer.JobObserver;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;

import org.springframework.stereotype.Component;

@Component
class RunningJobs implements JobObserver {

	private final Set<JobKey> keys = ConcurrentHashMap.newKeySet();

	@Override
	public RunObservation running(JobRun run) {
		JobKey key = run.context().key();
		this.keys.add(key);
		return new RunObservation() {

			@Override
			public void end(RunOutcome outcome, Throwable failure) {
				RunningJobs.this.keys.remove(key);
			}

		};
	}

	Set<JobKey> keys() {
		return this.keys;
	}

}
