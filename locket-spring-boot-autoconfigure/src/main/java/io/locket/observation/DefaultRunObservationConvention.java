package io.locket.observation;

import io.locket.observation.JobObservationDocumentation.LowCardinality;
import io.micrometer.common.KeyValues;

/**
 * The {@link RunObservationConvention} that holds unless a bean replaces it.
 */
public class DefaultRunObservationConvention implements RunObservationConvention {

	@Override
	public String getName() {
		return JobObservationDocumentation.RUN.getName();
	}

	@Override
	public String getContextualName(RunObservationContext context) {
		return "run " + context.getRun().context().job();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RunObservationContext context) {
		return RunKeyValues.of(context.getRun())
			.and(LowCardinality.KIND.withValue(context.isDirect() ? "direct" : "queued"),
					LowCardinality.OUTCOME.withValue(RunKeyValues.name(context.getOutcome())));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RunObservationContext context) {
		return RunKeyValues.ofJob(context.getRun());
	}

}
