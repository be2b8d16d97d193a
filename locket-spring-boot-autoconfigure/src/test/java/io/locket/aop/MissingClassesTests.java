package io.locket.aop;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.locket.UniqueJob;
import io.locket.autoconfigure.LeaseAutoConfiguration;
import io.locket.autoconfigure.UniqueJobAutoConfiguration;
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

	@ParameterizedTest
	@ValueSource(classes = { WithBoot.class, WithoutBootsAop.class })
	void callsAreGuardedWithoutOptionalClasses(Class<?> application) throws Exception {
		try (URLClassLoader classLoader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
			Thread thread = Thread.currentThread();
			ClassLoader previous = thread.getContextClassLoader();
			thread.setContextClassLoader(classLoader);
			try {
				Callable<?> callable = (Callable<?>) classLoader.loadClass(application.getName())
					.getDeclaredConstructor()
					.newInstance();
				assertThat(callable.call()).isEqualTo("[jobs.run[], jobs.later[]] done");
			}
			finally {
				thread.setContextClassLoader(previous);
			}
		}
	}

	@Test
	void optionalClassesAreThereOtherwise() {
		assertThat(ClassUtils.isPresent("reactor.core.publisher.Mono", null)).isTrue();
		assertThat(ClassUtils.isPresent("org.aspectj.weaver.Advice", null)).isTrue();
	}

	private static URL[] urls() throws Exception {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.matches(".*(reactor|reactive-streams|aspectj|lettuce|spring-data|micrometer).*"))
			.map(Path::of)
			.map(Path::toUri)
			.map(MissingClassesTests::url)
			.toArray(URL[]::new);
	}

	private static URL url(URI uri) {
		try {
			return uri.toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
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
	 * With Boot's own proxies.
	 */
	public static class WithBoot implements Callable<String> {

		@Override
		public String call() {
			return run(AopAutoConfiguration.class);
		}

	}

	/**
	 * With the proxies that Locket asks for.
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
