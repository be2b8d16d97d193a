package io.locket.autoconfigure;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.UniqueJob;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.Jobs;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.settings.EffectiveSettings;
import io.locket.testing.ReducedClassPath;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications with the auto-configuration, but without the module
 * {@code locket-redis}.
 */
class MissingRedisModuleTests {

	private static final ReducedClassPath CLASS_PATH = ReducedClassPath.without(".*[/\\\\]locket-redis[/\\\\].*");

	@Test
	void moduleIsThereOtherwise() {
		assertThat(ClassUtils.isPresent("io.locket.redis.RedisConnections", null)).isTrue();
	}

	@Test
	void autoConfigurationUsesTheStoresOfTheApplication() throws Exception {
		assertThat(CLASS_PATH.call(WithStores.class)).isEqualTo("called, ran, null");
	}

	@Test
	void autoConfigurationBacksOffWithoutStores() throws Exception {
		assertThat(CLASS_PATH.call(WithoutStores.class)).isEqualTo(List.of(0, 0));
	}

	private static ConfigurableApplicationContext start(Class<?>... sources) {
		assertThat(ClassUtils.isPresent("io.locket.redis.RedisConnections", null)).isFalse();
		return new SpringApplicationBuilder(sources)
			.properties("spring.application.name=shop", "locket.worker.queues=default",
					"locket.worker.poll-interval=1s", "management.endpoints.web.exposure.include=*",
					"management.endpoints.jmx.exposure.include=*")
			.web(WebApplicationType.NONE)
			.run();
	}

	/**
	 * Application with stores of its own.
	 */
	public static class WithStores implements Callable<String> {

		@Override
		public String call() throws Exception {
			try (ConfigurableApplicationContext context = start(LocketOnly.class, Stores.class)) {
				Mailing mailing = context.getBean(Mailing.class);
				String called = mailing.guarded().isPresent() ? "called" : "refused";
				context.getBean(Jobs.class).enqueue("mailing.send");
				String ran = mailing.awaitSent() ? "ran" : "waits";
				return called + ", " + ran + ", " + context.getBean(EffectiveSettings.class).lease().registryKey();
			}
		}

	}

	/**
	 * Application without stores.
	 */
	public static class WithoutStores implements Callable<List<Integer>> {

		@Override
		public List<Integer> call() {
			try (ConfigurableApplicationContext context = start(LocketOnly.class)) {
				return List.of(context.getBeanNamesForType(LeaseService.class).length,
						context.getBeanNamesForType(Jobs.class).length);
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(LocketSelector.class)
	static class LocketOnly {

	}

	/**
	 * Selection of Locket's auto-configurations, by name as Spring Boot selects them.
	 */
	static class LocketSelector extends AutoConfigurationImportSelector {

		@Override
		protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
			return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
		}

		@Override
		protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
				AnnotationAttributes attributes) {
			return super.getCandidateConfigurations(metadata, attributes).stream()
				.filter((name) -> name.startsWith("io.locket.") || name.endsWith(".DataRedisAutoConfiguration")
						|| name.endsWith(".EndpointAutoConfiguration"))
				.toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Stores {

		@Bean
		LockSpace lockSpace() {
			return new LockSpace(Clock.systemUTC());
		}

		@Bean
		InMemoryLeaseService leaseService(LockSpace space, LeaseSettings settings, JobKeys keys,
				JobEventPublisher events) {
			return new InMemoryLeaseService(space, settings, keys, events, System::nanoTime);
		}

		@Bean
		InMemoryJobQueue jobQueue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events);
		}

		@Bean
		Mailing mailing() {
			return new Mailing();
		}

	}

	static class Mailing {

		private final CountDownLatch sent = new CountDownLatch(1);

		@UniqueJob(name = "mailing.call")
		public Optional<Boolean> guarded() {
			return Optional.of(true);
		}

		public boolean awaitSent() throws InterruptedException {
			return this.sent.await(20, TimeUnit.SECONDS);
		}

		@UniqueJob(name = "mailing.send")
		public void send() {
			this.sent.countDown();
		}

	}

}
