package io.locket.observation;

import io.micrometer.common.KeyValues;

/**
 * The default {@link RunObservationConvention}.
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
		return context.keyValues().ofRun(context.getOutcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RunObservationContext context) {
		return context.keyValues().high();
	}

}
