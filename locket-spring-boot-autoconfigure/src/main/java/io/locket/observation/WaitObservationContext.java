package io.locket.observation;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.locket.event.JobRun;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;

/**
 * What a {@link WaitObservationConvention} can know. The observation begins and ends when
 * the run begins: {@link #getWaited()} has its real duration. The carrier has the fields
 * that have travelled with the job.
 */
public final class WaitObservationContext extends ReceiverContext<Map<String, String>> {

	private final JobRun run;

	private final Duration waited;

	/**
	 * Create a context.
	 * @param run the run that begins
	 * @param waited how long the job waited since it was due
	 * @param fields what has travelled with the job
	 */
	public WaitObservationContext(JobRun run, Duration waited, Map<String, String> fields) {
		super((carrier, field) -> Objects.requireNonNull(carrier, "'carrier' must not be null").get(field),
				Kind.CONSUMER);
		this.run = run;
		this.waited = waited;
		setCarrier(fields);
	}

	/**
	 * Return the run that begins.
	 * @return the run
	 */
	public JobRun getRun() {
		return this.run;
	}

	/**
	 * Return how long the job waited since it was due.
	 * @return the time, never negative
	 */
	public Duration getWaited() {
		return this.waited;
	}

}
