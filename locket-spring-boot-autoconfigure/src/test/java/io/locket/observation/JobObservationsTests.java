package io.locket.observation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.locket.observer.EnqueueCall;
import io.locket.observer.EnqueueObservation;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link JobObservations} and their spans.
 */
class JobObservationsTests {

	private static final Instant NOW = Instant.parse("2026-05-04T10:15:30.123456789Z");

	private final InMemorySpanExporter spans = InMemorySpanExporter.create();

	private final SdkTracerProvider provider = SdkTracerProvider.builder()
		.addSpanProcessor(SimpleSpanProcessor.create(this.spans))
		.build();

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final JobObservations observations = new JobObservations(this.registry, null, null, null);

	JobObservationsTests() {
		traceTo(this.registry);
	}

	private void traceTo(ObservationRegistry observed) {
		Tracer otel = this.provider.get("test");
		OtelTracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), (event) -> {
		});
		OtelPropagator propagator = new OtelPropagator(
				ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
		observed.observationConfig()
			.observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
					new WaitTracingObservationHandler(tracer, propagator, Clock.fixed(NOW, ZoneOffset.UTC)),
					new DirectRunTracingObservationHandler(tracer),
					new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
					new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
					new DefaultTracingObservationHandler(tracer)));
	}

	@AfterEach
	void nothingIsLeftOnTheThread() {
		assertThat(this.registry.getCurrentObservationScope()).isNull();
		assertThat(Span.current().getSpanContext().isValid()).isFalse();
		this.provider.close();
	}

	@Test
	void waitBeginsWhenTheJobWasDueAndRunContinuesTheTrace() {
		EnqueueObservation enqueue = this.observations.enqueuing(new EnqueueCall("billing.bill", "invoices", 1, false));
		String trace = enqueue.trace();
		enqueue.end("accepted", null);
		run(queued(trace, false), RunOutcome.SUCCEEDED, null);
		SpanData producer = span("enqueue billing.bill");
		SpanData wait = span("wait billing.bill");
		SpanData run = span("run billing.bill");
		assertThat(trace).matches(
				"\\{\"traceparent\":\"00-" + producer.getTraceId() + "-" + producer.getSpanId() + "-[0-9a-f]{2}\"}");
		assertThat(List.of(wait, run)).allSatisfy((span) -> {
			assertThat(span.getTraceId()).isEqualTo(producer.getTraceId());
			assertThat(span.getParentSpanId()).isEqualTo(producer.getSpanId());
		});
		assertThat(wait.getStartEpochNanos())
			.isEqualTo(TimeUnit.SECONDS.toNanos(NOW.getEpochSecond() - 3) + NOW.getNano());
		assertThat(wait.getEndEpochNanos() - wait.getStartEpochNanos()).isGreaterThanOrEqualTo(3_000_000_000L);
		assertThat(producer.getKind()).isEqualTo(SpanKind.PRODUCER);
		assertThat(wait.getKind()).isEqualTo(SpanKind.INTERNAL);
		assertThat(run.getKind()).isEqualTo(SpanKind.CONSUMER);
		assertThat(attributes(run)).containsExactlyInAnyOrder("job=billing.bill", "queue=invoices", "kind=queued",
				"outcome=succeeded", "id=id-1", "attempt=2");
		assertThat(attributes(wait)).containsExactlyInAnyOrder("job=billing.bill", "queue=invoices", "id=id-1",
				"attempt=2");
		assertThat(attributes(producer)).containsExactlyInAnyOrder("job=billing.bill", "queue=invoices",
				"outcome=accepted", "jobs=1");
	}

	@Test
	void directCallIsInsideWhatItsCallerHas() {
		Observation.createNotStarted("caller", this.registry)
			.observe(() -> run(JobRun.direct(TestRun.direct("billing.bill", "(42)"), false), RunOutcome.SUCCEEDED,
					null));
		SpanData run = span("run billing.bill");
		assertThat(run.getParentSpanId()).isEqualTo(span("caller").getSpanId());
		assertThat(run.getKind()).isEqualTo(SpanKind.INTERNAL);
		assertThat(attributes(run)).containsExactlyInAnyOrder("job=billing.bill", "queue=none", "kind=direct",
				"outcome=succeeded");
		assertThat(this.spans.getFinishedSpanItems()).hasSize(2);
	}

	@Test
	void runEndsOnAnotherThreadAfterItHasLeftItsOwn() throws Exception {
		RunObservation run = this.observations.running(queued(null, false));
		run.leave();
		Thread other = new Thread(() -> run.end(RunOutcome.INTERRUPTED, null));
		other.start();
		other.join();
		assertThat(attributes(span("run billing.bill"))).contains("outcome=interrupted");
	}

	@Test
	void failureIsInItsSpan() {
		run(queued(null, false), RunOutcome.FAILED, new IllegalStateException("customer 4711"));
		SpanData run = span("run billing.bill");
		assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
		assertThat(run.getEvents().toString()).contains("IllegalStateException", "customer 4711");
	}

	@Test
	void failureOfAMaskedJobHasItsTypeOnly() {
		run(queued(null, true), RunOutcome.FAILED, new IllegalStateException("customer Miller"));
		SpanData run = span("run billing.bill");
		assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
		assertThat(run.toString()).contains("java.lang.IllegalStateException").doesNotContain("Miller");
	}

	@Test
	void failureOfAnEnqueueOfAMaskedJobHasItsTypeOnly() {
		this.observations.enqueuing(new EnqueueCall("billing.bill", "invoices", 1, true))
			.end("failed", new IllegalStateException("customer Miller"));
		SpanData enqueue = span("enqueue billing.bill");
		assertThat(enqueue.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
		assertThat(enqueue.toString()).contains("java.lang.IllegalStateException").doesNotContain("Miller");
	}

	@ParameterizedTest
	@ValueSource(strings = { "not JSON", "[]", "null", "1", "{}", "{\"traceparent\":{}}", "{\"traceparent\":null}",
			"{\"traceparent\":\"wrong\"}", "{\"traceparent\":1}" })
	void traceOfOthersBeginsOneOfItsOwn(String trace) {
		run(queued(trace, false), RunOutcome.SUCCEEDED, null);
		assertThat(span("run billing.bill").getParentSpanContext().isValid()).isFalse();
	}

	@Test
	void handlerThatFailsLeavesNothingOnTheThread() {
		FailingHandler failing = new FailingHandler();
		this.registry.observationConfig().observationHandler(failing);
		failing.opening = true;
		assertThatIllegalStateException().isThrownBy(() -> this.observations.running(queued(null, false)));
		assertThat(this.registry.getCurrentObservationScope()).isNull();
		assertThat(span("run billing.bill").hasEnded()).isTrue();
	}

	@Test
	void handlerThatFailsAtTheEndLeavesNothingOnTheThread() {
		FailingHandler failing = new FailingHandler();
		ObservationRegistry other = ObservationRegistry.create();
		other.observationConfig().observationHandler(failing);
		traceTo(other);
		failing.closing = true;
		RunObservation run = new JobObservations(other, null, null, null).running(queued(null, false));
		assertThatIllegalStateException().isThrownBy(run::leave);
		assertThat(other.getCurrentObservationScope()).isNull();
		run.end(RunOutcome.SUCCEEDED, null);
		assertThat(span("run billing.bill").hasEnded()).isTrue();
	}

	@Test
	void spanOfEnqueuingEndsWhenAHandlerFailsAtTheEnd() {
		FailingHandler failing = new FailingHandler();
		ObservationRegistry other = ObservationRegistry.create();
		other.observationConfig().observationHandler(failing);
		traceTo(other);
		failing.closing = true;
		EnqueueObservation enqueue = new JobObservations(other, null, null, null)
			.enqueuing(new EnqueueCall("billing.bill", "invoices", 1, false));
		assertThatIllegalStateException().isThrownBy(() -> enqueue.end("accepted", null));
		assertThat(other.getCurrentObservationScope()).isNull();
		assertThat(span("enqueue billing.bill").hasEnded()).isTrue();
	}

	@Test
	void everyNameIsDocumented() {
		assertThat(JobObservationDocumentation.values())
			.allSatisfy((documented) -> assertThat(documented.getName()).startsWith("locket.")
				.isEqualTo("locket." + documented.name().toLowerCase(Locale.ROOT)));
	}

	private void run(JobRun run, RunOutcome outcome, @Nullable Throwable failure) {
		RunObservation observation = this.observations.running(run);
		observation.leave();
		observation.end(outcome, failure);
	}

	private static JobRun queued(@Nullable String trace, boolean masked) {
		return new JobRun(TestRun.queued("billing.bill", "(42)"), masked, Duration.ofSeconds(3), trace);
	}

	private SpanData span(String name) {
		return this.spans.getFinishedSpanItems()
			.stream()
			.filter((span) -> span.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private static List<String> attributes(SpanData span) {
		return span.getAttributes()
			.asMap()
			.entrySet()
			.stream()
			.map((entry) -> entry.getKey().getKey() + "=" + entry.getValue())
			.toList();
	}

	private static final class FailingHandler implements ObservationHandler<Observation.Context> {

		private boolean opening;

		private boolean closing;

		@Override
		public void onScopeOpened(Observation.Context context) {
			fail(this.opening);
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			fail(this.closing);
		}

		private static void fail(boolean failing) {
			if (failing) {
				throw new IllegalStateException("a handler that fails");
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
