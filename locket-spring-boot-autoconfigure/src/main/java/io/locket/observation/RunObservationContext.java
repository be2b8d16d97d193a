package io.locket.observation;

import java.util.Map;
import java.util.Objects;

import io.locket.event.JobRun;
import io.locket.event.RunOutcome;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RunObservationConvention} can know. The carrier has the fields that have
 * travelled with a queued job, and none for a direct call.
 */
public final class RunObservationContext extends ReceiverContext<Map<String, String>> {

	private final JobRun run;

	private volatile @Nullable RunOutcome outcome;

	/**
	 * Create a context.
	 * @param run the run
	 * @param fields what has travelled with the job
	 */
	public RunObservationContext(JobRun run, Map<String, String> fields) {
		super((carrier, field) -> Objects.requireNonNull(carrier, "'carrier' must not be null").get(field),
				Kind.CONSUMER);
		this.run = run;
		setCarrier(fields);
	}

	/**
	 * Return the run.
	 * @return the run
	 */
	public JobRun getRun() {
		return this.run;
	}

	/**
	 * Return whether the run is a direct call.
	 * @return {@code false} for a queued job
	 */
	public boolean isDirect() {
		return this.run.context().queuedRun().isEmpty();
	}

	/**
	 * Return how the run has ended.
	 * @return the outcome, or {@code null} before its end
	 */
	public @Nullable RunOutcome getOutcome() {
		return this.outcome;
	}

	void setOutcome(RunOutcome outcome) {
		this.outcome = outcome;
	}

}
