package io.locket.observation;

import java.time.Duration;
import java.util.Map;

import io.locket.observer.JobRun;

/**
 * Context of the observation of waiting. The observation starts and ends when the run
 * starts; {@link #getWaited()} has its real duration. The carrier has the fields that
 * were stored with the job.
 */
public final class WaitObservationContext extends SortedKeyValuesContext {

	private final Duration waited;

	/**
	 * Creates a context.
	 * @param run the run that starts
	 * @param waited the time since the due time of the job
	 * @param fields the fields that were stored with the job
	 */
	public WaitObservationContext(JobRun run, Duration waited, Map<String, String> fields) {
		this(run, waited, fields, new RunKeyValues(run));
	}

	WaitObservationContext(JobRun run, Duration waited, Map<String, String> fields, RunKeyValues keyValues) {
		super(run, fields, keyValues);
		this.waited = waited;
	}

	/**
	 * Returns the run that starts.
	 * @return the run
	 */
	public JobRun getRun() {
		return run();
	}

	/**
	 * Returns the time since the due time of the job.
	 * @return the time, never negative
	 */
	public Duration getWaited() {
		return this.waited;
	}

}
