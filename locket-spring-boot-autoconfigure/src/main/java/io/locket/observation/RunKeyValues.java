package io.locket.observation;

import java.util.Locale;

import io.locket.event.JobRun;
import io.locket.event.RunOutcome;
import io.locket.observation.JobObservationDocumentation.HighCardinality;
import io.locket.observation.JobObservationDocumentation.LowCardinality;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

/**
 * Key values that observations of runs and of waiting have in common.
 */
final class RunKeyValues {

	private RunKeyValues() {
	}

	static KeyValues of(JobRun run) {
		return KeyValues.of(LowCardinality.JOB.withValue(run.context().job()),
				run.context()
					.queuedRun()
					.map((queued) -> LowCardinality.QUEUE.withValue(queued.queue()))
					.orElse(LowCardinality.QUEUE.withValue(KeyValue.NONE_VALUE)));
	}

	static KeyValues ofJob(JobRun run) {
		return run.context()
			.queuedRun()
			.map((queued) -> KeyValues.of(HighCardinality.ID.withValue(queued.id()),
					HighCardinality.ATTEMPT.withValue(Integer.toString(queued.attempt()))))
			.orElse(KeyValues.empty());
	}

	static String name(@Nullable RunOutcome outcome) {
		return (outcome != null) ? outcome.name().toLowerCase(Locale.ROOT) : KeyValue.NONE_VALUE;
	}

}
