package io.locket.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names observations of the waiting of queued jobs, and gives them their key values. A
 * bean of this type replaces {@link DefaultWaitObservationConvention}.
 */
public interface WaitObservationConvention extends ObservationConvention<WaitObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof WaitObservationContext;
	}

}
