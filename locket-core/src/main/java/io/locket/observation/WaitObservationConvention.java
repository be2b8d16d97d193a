package io.locket.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Convention for the name and the key values of observations of waiting. A bean of this
 * type replaces {@link DefaultWaitObservationConvention}.
 */
public interface WaitObservationConvention extends ObservationConvention<WaitObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof WaitObservationContext;
	}

}
