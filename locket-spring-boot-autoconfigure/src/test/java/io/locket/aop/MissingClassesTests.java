package io.locket.aop;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.testing.ReducedClassPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications that have neither Reactor nor AspectJ nor Redis.
 */
class MissingClassesTests {

	private static final ReducedClassPath CLASS_PATH = ReducedClassPath
		.without(".*(reactor|reactive-streams|aspectj|lettuce|spring-data|micrometer).*");

	@ParameterizedTest
	@ValueSource(classes = { WithBoot.class, WithoutBootsAop.class })
	void callsAreGuardedWithoutOptionalClasses(Class<? extends Callable<?>> application) throws Exception {
		assertThat(CLASS_PATH.call(application)).isEqualTo("[jobs.run[], jobs.later[]] done");
	}

	@Test
	void optionalClassesAreThereOtherwise() {
		assertThat(ClassUtils.isPresent("reactor.core.publisher.Mono", null)).isTrue();
		assertThat(ClassUtils.isPresent("org.aspectj.weaver.Advice", null)).isTrue();
	}

	private static String run(Class<?>... configurations) {
		assertThat(ClassUtils.isPresent("reactor.core.publisher.Mono", null)).isFalse();
		assertThat(ClassUtils.isPresent("org.aspectj.weaver.Advice", null)).isFalse();
		assertThat(ClassUtils.isPresent("org.springframework.data.redis.core.RedisTemplate", null)).isFalse();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			if (configurations.length > 0) {
				context.register(configurations);
			}
			context.register(LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class);
			context.registerBean(TestLeaseService.class);
			context.registerBean("jobs", Jobs.class);
			context.refresh();
			context.getBean(Jobs.class).run();
			String result = context.getBean(Jobs.class).later().join();
			return GuardedContext.leases(context)
				.requests()
				.stream()
				.map((request) -> request.key().toString())
				.toList() + " " + result;
		}
	}

	/**
	 * Application with Boot's own proxies.
	 */
	public static class WithBoot implements Callable<String> {

		@Override
		public String call() {
			return run(AopAutoConfiguration.class);
		}

	}

	/**
	 * Application with the proxies that Locket registers.
	 */
	public static class WithoutBootsAop implements Callable<String> {

		@Override
		public String call() {
			return run();
		}

	}

	static class Jobs {

		@UniqueJob
		public void run() {
		}

		@UniqueJob
		public CompletableFuture<String> later() {
			return CompletableFuture.supplyAsync(() -> "done");
		}

	}

}
