package io.locket.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Convention for the name and the key values of observations of enqueuing. A bean of this
 * type replaces {@link DefaultEnqueueObservationConvention}.
 */
public interface EnqueueObservationConvention extends ObservationConvention<EnqueueObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof EnqueueObservationContext;
	}

}
