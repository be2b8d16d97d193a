package io.locket.observation;

import java.util.Objects;

import io.locket.observation.JobObservationDocumentation.HighCardinality;
import io.locket.observation.JobObservationDocumentation.LowCardinality;
import io.locket.observer.EnqueueCall;
import io.micrometer.common.KeyValues;

/**
 * The default {@link EnqueueObservationConvention}.
 */
public class DefaultEnqueueObservationConvention implements EnqueueObservationConvention {

	private static final String SEVERAL = "(several)";

	@Override
	public String getName() {
		return JobObservationDocumentation.ENQUEUE.getName();
	}

	@Override
	public String getContextualName(EnqueueObservationContext context) {
		return "enqueue " + Objects.requireNonNullElse(context.getCall().job(), SEVERAL);
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(EnqueueObservationContext context) {
		EnqueueCall call = context.getCall();
		return KeyValues.of(LowCardinality.JOB.withValue(Objects.requireNonNullElse(call.job(), SEVERAL)),
				LowCardinality.QUEUE.withValue(Objects.requireNonNullElse(call.queue(), SEVERAL)),
				LowCardinality.OUTCOME.withValue(context.getOutcome()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(EnqueueObservationContext context) {
		return KeyValues.of(HighCardinality.JOBS.withValue(Integer.toString(context.getCall().jobs())));
	}

}
