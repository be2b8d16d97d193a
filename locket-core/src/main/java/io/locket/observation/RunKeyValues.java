package io.locket.observation;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.locket.QueuedRun;
import io.locket.observation.JobObservationDocumentation.HighCardinality;
import io.locket.observation.JobObservationDocumentation.LowCardinality;
import io.locket.observer.JobRun;
import io.locket.observer.RunOutcome;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

/**
 * Key values of the observations of a run and of its waiting. They are created once,
 * because Micrometer requests them at the start and at the end of an observation. The key
 * values of a collection are in the order of their names, so that Micrometer need not
 * sort them.
 */
final class RunKeyValues {

	private static final KeyValue DIRECT = LowCardinality.KIND.withValue("direct");

	private static final KeyValue QUEUED = LowCardinality.KIND.withValue("queued");

	private static final KeyValue NO_OUTCOME = LowCardinality.OUTCOME.withValue(KeyValue.NONE_VALUE);

	private static final KeyValue NO_QUEUE = LowCardinality.QUEUE.withValue(KeyValue.NONE_VALUE);

	private static final Map<RunOutcome, KeyValue> OUTCOMES = outcomes();

	private final KeyValue job;

	private final KeyValue kind;

	private final KeyValue queue;

	private final KeyValues high;

	RunKeyValues(JobRun run) {
		QueuedRun queued = run.context().queuedRun().orElse(null);
		this.job = LowCardinality.JOB.withValue(run.context().job());
		this.kind = (queued != null) ? QUEUED : DIRECT;
		this.queue = (queued != null) ? LowCardinality.QUEUE.withValue(queued.queue()) : NO_QUEUE;
		this.high = (queued != null)
				? KeyValues.of(HighCardinality.ATTEMPT.withValue(Integer.toString(queued.attempt())),
						HighCardinality.ID.withValue(queued.id()))
				: KeyValues.empty();
	}

	private static Map<RunOutcome, KeyValue> outcomes() {
		Map<RunOutcome, KeyValue> outcomes = new EnumMap<>(RunOutcome.class);
		for (RunOutcome outcome : RunOutcome.values()) {
			outcomes.put(outcome, LowCardinality.OUTCOME.withValue(outcome.name().toLowerCase(Locale.ROOT)));
		}
		return outcomes;
	}

	/**
	 * Returns the key values of waiting that have low cardinality.
	 */
	KeyValues ofWait() {
		return KeyValues.of(this.job, this.queue);
	}

	/**
	 * Returns the key values of the run that have low cardinality.
	 * @param outcome the outcome, or {@code null} before the end
	 */
	KeyValues ofRun(@Nullable RunOutcome outcome) {
		KeyValue end = (outcome != null) ? Objects.requireNonNull(OUTCOMES.get(outcome)) : NO_OUTCOME;
		return KeyValues.of(this.job, this.kind, end, this.queue);
	}

	/**
	 * Returns the key values that have high cardinality.
	 */
	KeyValues high() {
		return this.high;
	}

}
