package io.locket.observation;

import java.util.Objects;

import io.locket.observation.JobObservationDocumentation.HighCardinality;
import io.locket.observation.JobObservationDocumentation.LowCardinality;
import io.locket.observer.EnqueueCall;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * Key values of the observation of enqueuing. They are created once and in the order of
 * their names, as those of {@link RunKeyValues}.
 */
final class EnqueueKeyValues {

	static final String SEVERAL = "(several)";

	private static final KeyValues ONE_JOB = jobs(1);

	private final KeyValue job;

	private final KeyValue queue;

	private final KeyValues high;

	EnqueueKeyValues(EnqueueCall call) {
		this.job = LowCardinality.JOB.withValue(Objects.requireNonNullElse(call.job(), SEVERAL));
		this.queue = LowCardinality.QUEUE.withValue(Objects.requireNonNullElse(call.queue(), SEVERAL));
		this.high = (call.jobs() == 1) ? ONE_JOB : jobs(call.jobs());
	}

	private static KeyValues jobs(int count) {
		return KeyValues.of(HighCardinality.JOBS.withValue(Integer.toString(count)));
	}

	/**
	 * Returns the key values that have low cardinality.
	 * @param outcome the outcome
	 */
	KeyValues low(String outcome) {
		return KeyValues.of(this.job, LowCardinality.OUTCOME.withValue(outcome), this.queue);
	}

	/**
	 * Returns the key values that have high cardinality.
	 */
	KeyValues high() {
		return this.high;
	}

}
