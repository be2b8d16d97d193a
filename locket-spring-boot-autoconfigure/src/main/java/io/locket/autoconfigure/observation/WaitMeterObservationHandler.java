package io.locket.autoconfigure.observation;

import io.locket.observation.WaitObservationContext;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Keeps waiting away from the handler that makes timers of observations: one of waiting
 * begins when the waiting is over. {@code locket.job.waiting} has the real times.
 */
final class WaitMeterObservationHandler implements MeterObservationHandler<WaitObservationContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof WaitObservationContext;
	}

}
