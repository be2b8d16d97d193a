package io.locket.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names observations of the bodies of direct calls and of queued jobs, and gives them
 * their key values. A bean of this type replaces {@link DefaultRunObservationConvention}.
 */
public interface RunObservationConvention extends ObservationConvention<RunObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RunObservationContext;
	}

}
