package io.locket.observation;

import java.util.Objects;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.TracingObservationHandler;

/**
 * Makes spans of direct calls inside what their callers have: nothing has travelled with
 * them. Thread-safe.
 */
public class DirectRunTracingObservationHandler implements TracingObservationHandler<RunObservationContext> {

	private final DefaultTracingObservationHandler handler;

	/**
	 * Create a handler.
	 * @param tracer makes the spans
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
