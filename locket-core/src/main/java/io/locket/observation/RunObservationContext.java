package io.locket.observation;

import java.util.Map;

import io.locket.observer.JobRun;
import io.locket.observer.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Context of the observation of a run. The carrier has the fields that were stored with a
 * queued job, and is empty for a direct call.
 */
public final class RunObservationContext extends SortedKeyValuesContext {

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
		super(run, fields, keyValues);
	}

	/**
	 * Returns the run.
	 * @return the run
	 */
	public JobRun getRun() {
		return run();
	}

	/**
	 * Returns whether the run is a direct call.
	 * @return {@code false} for a queued job
	 */
	public boolean isDirect() {
		return run().context().queuedRun().isEmpty();
	}

	/**
	 * Returns the outcome of the run.
	 * @return the outcome, or {@code null} before its end
	 */
	public @Nullable RunOutcome getOutcome() {
		return this.outcome;
	}

	void setOutcome(RunOutcome outcome) {
		this.outcome = outcome;
	}

}
