package io.locket.autoconfigure.observation;

import io.locket.observation.EnqueueObservationContext;
import io.locket.observation.RunObservationContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Handler that times enqueues and runs as Micrometer's own does, but without a long task
 * timer. That timer is more than half of what the meters of a call cost, and
 * {@code locket.lease.held} reports what runs.
 */
final class JobMeterObservationHandler extends DefaultMeterObservationHandler {

	JobMeterObservationHandler(MeterRegistry meterRegistry) {
		super(meterRegistry, IgnoredMeters.LONG_TASK_TIMER);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof RunObservationContext || context instanceof EnqueueObservationContext;
	}

}
