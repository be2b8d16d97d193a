package io.locket.autoconfigure.lease;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.lettuce.core.tracing.MicrometerTracing;
import io.locket.lease.LeaseService;
import io.locket.testing.RedisServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TracingInsideTraces} on Locket's derived connections.
 */
class TracingInsideTracesTests {

	private final List<String> observed = new CopyOnWriteArrayList<>();

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace())
		.withBean(ClientResourcesBuilderCustomizer.class,
				() -> (resources) -> resources.tracing(new MicrometerTracing(this.registry, "redis")));

	TracingInsideTracesTests() {
		this.registry.observationConfig().observationHandler(new Recorder(this.observed));
	}

	@Test
	void commandsAreTracedInsideATraceAndBeginNone() {
		this.runner.run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			leases.tryAcquire("in.the.background").orElseThrow().close();
			assertThat(this.observed).isEmpty();
			takeInARequest(leases);
			assertThat(this.observed).contains("request", "lettuce");
			this.observed.clear();
			context.getBean(StringRedisTemplate.class).hasKey("of the application");
			assertThat(this.observed).contains("lettuce");
		});
	}

	@Test
	void commandsAreNotObservedWithoutATracer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer.tracing")).run((context) -> {
			takeInARequest(context.getBean(LeaseService.class));
			assertThat(this.observed).containsExactly("request");
		});
	}

	private void takeInARequest(LeaseService leases) {
		Observation.createNotStarted("request", this.registry)
			.observe(() -> leases.tryAcquire("in.a.request").orElseThrow().close());
	}

	private record Recorder(List<String> names) implements ObservationHandler<Observation.Context> {

		@Override
		public void onStart(Observation.Context context) {
			this.names.add(context.getName());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
