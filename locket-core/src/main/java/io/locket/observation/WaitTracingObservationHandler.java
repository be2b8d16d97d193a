package io.locket.observation;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;

/**
 * Handler that creates spans of waiting. They start at the due time of the job and belong
 * to the trace that was stored with it. Thread-safe.
 */
public class WaitTracingObservationHandler implements TracingObservationHandler<WaitObservationContext> {

	private final Tracer tracer;

	private final Propagator propagator;

	private final Clock clock;

	/**
	 * Creates a handler.
	 * @param tracer creates the spans
	 * @param propagator reads the fields that were stored with a job
	 * @param clock the clock of spans
	 */
	public WaitTracingObservationHandler(Tracer tracer, Propagator propagator, Clock clock) {
		this.tracer = Objects.requireNonNull(tracer, "'tracer' must not be null");
		this.propagator = Objects.requireNonNull(propagator, "'propagator' must not be null");
		this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
	}

	@Override
	public void onStart(WaitObservationContext context) {
		Map<String, String> fields = Objects.requireNonNull(context.getCarrier(), "'carrier' must not be null");
		Instant due = this.clock.instant().minus(context.getWaited());
		Span span = this.propagator.extract(fields, Map::get)
			.startTimestamp(TimeUnit.SECONDS.toNanos(due.getEpochSecond()) + due.getNano(), TimeUnit.NANOSECONDS)
			.start();
		getTracingContext(context).setSpan(span);
	}

	@Override
	public void onStop(WaitObservationContext context) {
		Span span = getRequiredSpan(context);
		tagSpan(context, span);
		span.name(getSpanName(context));
		endSpan(context, span);
	}

	@Override
	public Tracer getTracer() {
		return this.tracer;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof WaitObservationContext;
	}

}
