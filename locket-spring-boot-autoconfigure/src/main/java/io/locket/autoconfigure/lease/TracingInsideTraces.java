package io.locket.autoconfigure.lease;

import java.net.SocketAddress;

import io.lettuce.core.tracing.TraceContext;
import io.lettuce.core.tracing.TraceContextProvider;
import io.lettuce.core.tracing.Tracer;
import io.lettuce.core.tracing.TracerProvider;
import io.lettuce.core.tracing.Tracing;
import org.jspecify.annotations.Nullable;

/**
 * Lettuce tracing for connections that send commands in the background. A command is
 * traced as part of the current trace of its caller, and never starts a trace.
 */
final class TracingInsideTraces implements Tracing {

	private final Tracing tracing;

	TracingInsideTraces(Tracing tracing) {
		this.tracing = tracing;
	}

	@Override
	public TracerProvider getTracerProvider() {
		return () -> new InsideTraces(this.tracing.getTracerProvider().getTracer());
	}

	@Override
	public TraceContextProvider initialTraceContextProvider() {
		return this.tracing.initialTraceContextProvider();
	}

	@Override
	public boolean isEnabled() {
		return this.tracing.isEnabled();
	}

	@Override
	public boolean includeCommandArgsInSpanTags() {
		return this.tracing.includeCommandArgsInSpanTags();
	}

	@Override
	public Endpoint createEndpoint(SocketAddress address) {
		return this.tracing.createEndpoint(address);
	}

	private static final class InsideTraces extends Tracer {

		private final Tracer tracer;

		InsideTraces(Tracer tracer) {
			this.tracer = tracer;
		}

		@Override
		public Span nextSpan() {
			return Tracing.disabled().getTracerProvider().getTracer().nextSpan();
		}

		@Override
		public Span nextSpan(@Nullable TraceContext context) {
			return (context == null || context == TraceContext.EMPTY) ? nextSpan() : this.tracer.nextSpan(context);
		}

	}

}
