package io.locket.autoconfigure;

import java.util.List;
import java.util.concurrent.Callable;

import io.locket.job.Jobs;
import io.locket.lease.LeaseService;
import io.locket.testing.ReducedClassPath;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications without Spring Integration, which is optional.
 */
class MissingIntegrationTests {

	private static final String REGISTRY = "org.springframework.integration.support.locks.LockRegistry";

	@Test
	void integrationIsThereOtherwise() {
		assertThat(ClassUtils.isPresent(REGISTRY, null)).isTrue();
	}

	@Test
	void applicationStartsWithoutALockRegistry() throws Exception {
		assertThat(ReducedClassPath.without(".*[/\\\\]spring-integration-[^/\\\\]*").call(Application.class))
			.isEqualTo(List.of(1, 1, false));
	}

	/**
	 * Application that does not need Redis to start.
	 */
	public static class Application implements Callable<List<Object>> {

		@Override
		public List<Object> call() {
			assertThat(ClassUtils.isPresent(REGISTRY, null)).isFalse();
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Sources.class)
				.properties("spring.application.name=shop", "locket.worker.enabled=false",
						"locket.leader.enabled=false")
				.web(WebApplicationType.NONE)
				.run()) {
				return List.of(context.getBeanNamesForType(LeaseService.class).length,
						context.getBeanNamesForType(Jobs.class).length, context.containsBean("locketLockRegistry"));
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(MissingRedisModuleTests.LocketSelector.class)
	static class Sources {

	}

}
