package io.locket.observation;

import java.util.Objects;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.TracingObservationHandler;

/**
 * Handler that creates spans of direct calls as children of the caller's span, because
 * they have no remote parent. Thread-safe.
 */
public class DirectRunTracingObservationHandler implements TracingObservationHandler<RunObservationContext> {

	private final DefaultTracingObservationHandler handler;

	/**
	 * Creates a handler.
	 * @param tracer creates the spans
	 */
	public DirectRunTracingObservationHandler(Tracer tracer) {
		this.handler = new DefaultTracingObservationHandler(
				Objects.requireNonNull(tracer, "'tracer' must not be null"));
	}

	@Override
	public void onStart(RunObservationContext context) {
		this.handler.onStart(context);
	}

	@Override
	public void onStop(RunObservationContext context) {
		this.handler.onStop(context);
	}

	@Override
	public Tracer getTracer() {
		return this.handler.getTracer();
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof RunObservationContext run && run.isDirect();
	}

}
