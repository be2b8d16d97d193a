package io.locket.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names observations of calls that enqueue, and gives them their key values. A bean of
 * this type replaces {@link DefaultEnqueueObservationConvention}.
 */
public interface EnqueueObservationConvention extends ObservationConvention<EnqueueObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof EnqueueObservationContext;
	}

}
