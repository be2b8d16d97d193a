package io.locket.autoconfigure.observation;

import io.locket.observation.EnqueueObservationContext;
import io.locket.observation.RunObservationContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Handler that times enqueues and runs as Micrometer's own does, but without a long task
 * timer, which is expensive. {@code locket.lease.held} reports the running bodies. It
 * does not extend Micrometer's handler, so that the latter remains the only bean of its
 * type.
 */
final class JobMeterObservationHandler implements MeterObservationHandler<Observation.Context> {

	private final DefaultMeterObservationHandler timers;

	JobMeterObservationHandler(MeterRegistry meterRegistry) {
		this.timers = new DefaultMeterObservationHandler(meterRegistry, IgnoredMeters.LONG_TASK_TIMER);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof RunObservationContext || context instanceof EnqueueObservationContext;
	}

	@Override
	public void onStart(Observation.Context context) {
		this.timers.onStart(context);
	}

	@Override
	public void onStop(Observation.Context context) {
		this.timers.onStop(context);
	}

	@Override
	public void onEvent(Observation.Event event, Observation.Context context) {
		this.timers.onEvent(event, context);
	}

}
