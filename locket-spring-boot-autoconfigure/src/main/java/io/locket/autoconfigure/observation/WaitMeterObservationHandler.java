package io.locket.autoconfigure.observation;

import io.locket.observation.WaitObservationContext;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Handler that prevents timers for observations of waiting. Such an observation starts
 * when the waiting is over, so its duration is meaningless. The meter
 * {@code locket.job.waiting} has the real times.
 */
final class WaitMeterObservationHandler implements MeterObservationHandler<WaitObservationContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof WaitObservationContext;
	}

}
