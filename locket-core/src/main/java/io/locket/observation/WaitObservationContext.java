package io.locket.observation;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.locket.observer.JobRun;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;

/**
 * Context of the observation of waiting. The observation starts and ends when the run
 * starts; {@link #getWaited()} has its real duration. The carrier has the fields that
 * were stored with the job.
 */
public final class WaitObservationContext extends ReceiverContext<Map<String, String>> {

	private final JobRun run;

	private final Duration waited;

	private final RunKeyValues keyValues;

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
		super((carrier, field) -> Objects.requireNonNull(carrier, "'carrier' must not be null").get(field),
				Kind.CONSUMER);
		this.run = run;
		this.waited = waited;
		this.keyValues = keyValues;
		setCarrier(fields);
	}

	/**
	 * Returns the run that starts.
	 * @return the run
	 */
	public JobRun getRun() {
		return this.run;
	}

	/**
	 * Returns the time since the due time of the job.
	 * @return the time, never negative
	 */
	public Duration getWaited() {
		return this.waited;
	}

	RunKeyValues keyValues() {
		return this.keyValues;
	}

}
