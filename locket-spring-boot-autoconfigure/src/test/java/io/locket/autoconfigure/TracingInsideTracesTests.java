package io.locket.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.lettuce.core.tracing.MicrometerTracing;
import io.locket.lease.LeaseService;
import io.locket.test.RedisServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TracingInsideTraces}, on the connections that are derived from the
 * application's.
 */
class TracingInsideTracesTests {

	private final List<String> observed = new CopyOnWriteArrayList<>();

	private final ObservationRegistry registry = ObservationRegistry.create();

	@Test
	void commandsAreTracedInsideATraceAndBeginNone() {
		this.registry.observationConfig().observationHandler(new Recorder(this.observed));
		ClientResourcesBuilderCustomizer customizer = (resources) -> resources
			.tracing(new MicrometerTracing(this.registry, "redis"));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
			.withPropertyValues(RedisServer.shared().properties())
			.withPropertyValues("locket.namespace=" + RedisServer.newNamespace())
			.withBean(ClientResourcesBuilderCustomizer.class, () -> customizer)
			.run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				leases.tryAcquire("in.the.background").orElseThrow().close();
				assertThat(this.observed).isEmpty();
				Observation.createNotStarted("request", this.registry)
					.observe(() -> leases.tryAcquire("in.a.request").orElseThrow().close());
				assertThat(this.observed).contains("request", "lettuce");
				this.observed.clear();
				context.getBean(StringRedisTemplate.class).hasKey("of the application");
				assertThat(this.observed).contains("lettuce");
			});
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
