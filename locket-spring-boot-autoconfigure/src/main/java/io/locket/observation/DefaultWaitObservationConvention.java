package io.locket.observation;

import io.micrometer.common.KeyValues;

/**
 * The {@link WaitObservationConvention} that holds unless a bean replaces it.
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
		return RunKeyValues.of(context.getRun());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(WaitObservationContext context) {
		return RunKeyValues.ofJob(context.getRun());
	}

}
