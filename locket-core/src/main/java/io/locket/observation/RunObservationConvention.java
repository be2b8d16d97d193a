package io.locket.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Convention for the name and the key values of observations of runs, both direct calls
 * and queued jobs. A bean of this type replaces {@link DefaultRunObservationConvention}.
 */
public interface RunObservationConvention extends ObservationConvention<RunObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RunObservationContext;
	}

}
