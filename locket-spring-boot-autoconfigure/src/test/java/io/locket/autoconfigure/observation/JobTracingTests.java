package io.locket.autoconfigure.observation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.JobState;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.testing.RedisServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for traces across the queue in Redis, with an OpenTelemetry tracer.
 */
class JobTracingTests {

	private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();

	private static final Set<String> FAILING = ConcurrentHashMap.newKeySet();

	private static final Map<String, Map<String, String>> SEEN = new ConcurrentHashMap<>();

	private static ConfigurableApplicationContext context;

	private final Jobs jobs = context.getBean(Jobs.class);

	private final Billing billing = context.getBean(Billing.class);

	private final Tracer tracer = context.getBean(Tracer.class);

	@BeforeAll
	static void start() {
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(RedisServer.shared().properties())
			.properties("locket.namespace=" + RedisServer.newNamespace(), "locket.worker.queues=default")
			.run();
	}

	@AfterAll
	static void close() {
		context.close();
	}

	@Test
	void runsAndRetriesContinueTheTraceOfTheirProducer() {
		FAILING.add("retry");
		String trace = traced(() -> this.jobs.enqueue("billing.bill", "retry"));
		List<SpanData> spans = spans(trace, 6);
		SpanData enqueue = only(spans, "enqueue billing.bill");
		assertThat(enqueue.getParentSpanId()).isEqualTo(only(spans, "producer").getSpanId());
		assertThat(named(spans, "wait billing.bill")).hasSize(2)
			.extracting(SpanData::getParentSpanId)
			.containsOnly(enqueue.getSpanId());
		assertThat(named(spans, "run billing.bill")).extracting(JobTracingTests::outcome)
			.containsExactly("failed 1", "succeeded 2");
		assertThat(named(spans, "run billing.bill")).allSatisfy((run) -> {
			assertThat(run.getParentSpanId()).isEqualTo(enqueue.getSpanId());
			assertThat(run.getKind()).isEqualTo(SpanKind.CONSUMER);
		});
		assertThat(SEEN.get("retry")).isEqualTo(Map.of("trace", trace, "job", "billing.bill"));
	}

	@Test
	void whatABodyEnqueuesIsInsideItsRun() {
		String trace = traced(() -> this.jobs.enqueue("billing.chain", "first"));
		List<SpanData> spans = spans(trace, 7);
		SpanData chain = only(spans, "run billing.chain");
		assertThat(only(spans, "enqueue billing.bill").getParentSpanId()).isEqualTo(chain.getSpanId());
		assertThat(only(spans, "run billing.bill").getParentSpanId())
			.isEqualTo(only(spans, "enqueue billing.bill").getSpanId());
	}

	@Test
	void deadLetterThatIsRequeuedStaysInItsTrace() {
		FAILING.add("dead");
		String[] id = new String[1];
		String trace = traced(() -> id[0] = ((Accepted) this.jobs.enqueue("billing.once", "dead")).id());
		JobAdministration administration = context.getBean(JobAdministration.class);
		await().until(() -> administration.find(id[0]).orElseThrow().state() == JobState.DEAD);
		assertThat(administration.requeue(id[0])).isNotNull();
		List<SpanData> spans = spans(trace, 6);
		assertThat(named(spans, "run billing.once")).extracting(JobTracingTests::outcome)
			.containsExactly("failed 1", "succeeded 1");
	}

	@Test
	void jobsThatAreEnqueuedTogetherShareTheirSpan() {
		String trace = traced(() -> this.jobs
			.enqueueAll(List.of(JobRequest.of("billing.bill", "one"), JobRequest.of("billing.bill", "two"))));
		List<SpanData> spans = spans(trace, 6);
		assertThat(named(spans, "run billing.bill")).hasSize(2)
			.extracting(SpanData::getParentSpanId)
			.containsOnly(only(spans, "enqueue billing.bill").getSpanId());
	}

	@Test
	void jobThatWaitsForItsCommitHasTheTraceOfTheCall() {
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		String trace;
		try {
			trace = traced(() -> assertThat(this.jobs.enqueue("billing.bill", "committed"))
				.isInstanceOf(EnqueueResult.Deferred.class));
			TransactionSynchronizationManager.getSynchronizations()
				.forEach((waiting) -> waiting.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
		}
		finally {
			TransactionSynchronizationManager.clear();
		}
		List<SpanData> spans = spans(trace, 4);
		assertThat(only(spans, "run billing.bill").getParentSpanId())
			.isEqualTo(only(spans, "enqueue billing.bill").getSpanId());
	}

	@Test
	void directCallIsInsideTheSpanOfItsCaller() {
		String trace = traced(() -> this.billing.call("direct"));
		List<SpanData> spans = spans(trace, 2);
		SpanData run = only(spans, "run billing.call");
		assertThat(run.getParentSpanId()).isEqualTo(only(spans, "producer").getSpanId());
		assertThat(run.getKind()).isEqualTo(SpanKind.INTERNAL);
		assertThat(SEEN.get("direct")).isEqualTo(Map.of("trace", trace, "job", "billing.call"));
	}

	@Test
	void reactiveBodyHasTheObservationOfItsRunInItsContext() {
		this.jobs.enqueue("billing.reactive", "queued");
		await().until(() -> SEEN.containsKey("queued"));
		this.billing.reactive("called").block(Duration.ofSeconds(10));
		assertThat(SEEN).extractingByKeys("queued", "called").containsOnly(Map.of("name", "locket.run"));
	}

	private String traced(Runnable body) {
		Span span = this.tracer.nextSpan().name("producer").start();
		try (Tracer.SpanInScope scope = this.tracer.withSpan(span)) {
			assertThat(scope).isNotNull();
			body.run();
		}
		finally {
			span.end();
		}
		return span.context().traceId();
	}

	private static List<SpanData> spans(String trace, int count) {
		await().until(() -> of(trace).size() >= count);
		List<SpanData> spans = of(trace);
		assertThat(spans).hasSize(count);
		return spans;
	}

	private static List<SpanData> of(String trace) {
		return SPANS.getFinishedSpanItems().stream().filter((span) -> span.getTraceId().equals(trace)).toList();
	}

	private static List<SpanData> named(List<SpanData> spans, String name) {
		return spans.stream().filter((span) -> span.getName().equals(name)).toList();
	}

	private static SpanData only(List<SpanData> spans, String name) {
		assertThat(named(spans, name)).hasSize(1);
		return named(spans, name).get(0);
	}

	private static String outcome(SpanData run) {
		StringBuilder text = new StringBuilder();
		run.getAttributes().forEach((key, value) -> {
			if (key.getKey().equals("outcome")) {
				text.insert(0, value);
			}
			else if (key.getKey().equals("attempt")) {
				text.append(' ').append(value);
			}
		});
		return text.toString();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
			WorkerAutoConfiguration.class, LocketLoggingAutoConfiguration.class,
			LocketObservationAutoConfiguration.class, ObservationAutoConfiguration.class,
			MicrometerTracingAutoConfiguration.class, OpenTelemetryTracingAutoConfiguration.class,
			OpenTelemetrySdkAutoConfiguration.class })
	static class Application {

		@Bean
		SpanProcessor spans() {
			return SimpleSpanProcessor.create(SPANS);
		}

		@Bean
		Sampler sampler() {
			return Sampler.alwaysOn();
		}

		@Bean
		Billing billing(ObjectProvider<Jobs> jobs, ObjectProvider<Tracer> tracer) {
			return new Billing((number) -> jobs.getObject().enqueue("billing.bill", number), tracer);
		}

	}

	static class Billing {

		private final Consumer<String> successor;

		private final ObjectProvider<Tracer> tracer;

		Billing(Consumer<String> successor, ObjectProvider<Tracer> tracer) {
			this.successor = successor;
			this.tracer = tracer;
		}

		@UniqueJob(backoff = "1ms")
		public void bill(String number) {
			record(number);
		}

		@UniqueJob(retries = "0")
		public void once(String number) {
			record(number);
		}

		@UniqueJob
		public void chain(String number) {
			this.successor.accept("after " + number);
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public String call(String number) {
			record(number);
			return number;
		}

		@UniqueJob
		public Mono<Void> reactive(String number) {
			return Mono.deferContextual((reactor) -> {
				Observation observation = reactor.get(ObservationThreadLocalAccessor.KEY);
				SEEN.put(number, Map.of("name", observation.getContextView().getName()));
				return Mono.empty();
			});
		}

		private void record(String number) {
			SEEN.put(number, Map.of("trace", this.tracer.getObject().currentSpan().context().traceId(), "job",
					MDC.get("locket.job")));
			assertThat(JobContext.current()).isPresent();
			if (FAILING.remove(number)) {
				throw new IllegalStateException("failing");
			}
		}

	}

}
