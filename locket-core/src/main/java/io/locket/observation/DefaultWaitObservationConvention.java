package io.locket.observation;

import io.micrometer.common.KeyValues;

/**
 * The default {@link WaitObservationConvention}.
 */
public class DefaultWaitObservationConvention implements WaitObservationConvention {

	@Override
	public String getName() {
		return JobObservationDocumentation.WAIT.getName();
	}

	@Override
	public String getContextualName(WaitObservationContext context) {
		return "wait " + context.getRun().context().job();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(WaitObservationContext context) {
		return context.keyValues().ofWait();
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(WaitObservationContext context) {
		return context.keyValues().high();
	}

}
