package io.locket.observation;

import java.util.Objects;

import io.micrometer.common.KeyValues;

/**
 * The default {@link EnqueueObservationConvention}.
 */
public class DefaultEnqueueObservationConvention implements EnqueueObservationConvention {

	@Override
	public String getName() {
		return JobObservationDocumentation.ENQUEUE.getName();
	}

	@Override
	public String getContextualName(EnqueueObservationContext context) {
		return "enqueue " + Objects.requireNonNullElse(context.getCall().job(), EnqueueKeyValues.SEVERAL);
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(EnqueueObservationContext context) {
		return context.keyValues().low(context.getOutcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(EnqueueObservationContext context) {
		return context.keyValues().high();
	}

}
