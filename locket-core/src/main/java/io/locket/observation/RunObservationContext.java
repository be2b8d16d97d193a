package io.locket.observation;

import java.util.Map;
import java.util.Objects;

import io.locket.observer.JobRun;
import io.locket.observer.RunOutcome;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;

/**
 * Context of the observation of a run. The carrier has the fields that were stored with a
 * queued job, and is empty for a direct call.
 */
public final class RunObservationContext extends ReceiverContext<Map<String, String>> {

	private final JobRun run;

	private final RunKeyValues keyValues;

	private volatile @Nullable RunOutcome outcome;

	/**
	 * Creates a context.
	 * @param run the run
	 * @param fields the fields that were stored with the job
	 */
	public RunObservationContext(JobRun run, Map<String, String> fields) {
		this(run, fields, new RunKeyValues(run));
	}

	RunObservationContext(JobRun run, Map<String, String> fields, RunKeyValues keyValues) {
		super((carrier, field) -> Objects.requireNonNull(carrier, "'carrier' must not be null").get(field),
				Kind.CONSUMER);
		this.run = run;
		this.keyValues = keyValues;
		setCarrier(fields);
	}

	/**
	 * Returns the run.
	 * @return the run
	 */
	public JobRun getRun() {
		return this.run;
	}

	/**
	 * Returns whether the run is a direct call.
	 * @return {@code false} for a queued job
	 */
	public boolean isDirect() {
		return this.run.context().queuedRun().isEmpty();
	}

	/**
	 * Returns the outcome of the run.
	 * @return the outcome, or {@code null} before its end
	 */
	public @Nullable RunOutcome getOutcome() {
		return this.outcome;
	}

	RunKeyValues keyValues() {
		return this.keyValues;
	}

	void setOutcome(RunOutcome outcome) {
		this.outcome = outcome;
	}

}
