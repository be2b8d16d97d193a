package io.locket.examples;

import java.util.List;
import java.util.UUID;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Test support that runs examples as an application of their own.
 */
public final class Examples {

	private Examples() {
	}

	/**
	 * Returns an application of the given classes on a real Redis, in a namespace of its
	 * own.
	 * @param components the beans and configurations of the application
	 * @return its runner
	 */
	public static ApplicationContextRunner application(Class<?>... components) {
		return new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withUserConfiguration(components)
			.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + ExampleRedis.port(),
					"locket.namespace=example-" + UUID.randomUUID());
	}

	/**
	 * Returns the port of a real Redis on the loopback address.
	 * @return the port
	 */
	public static int redisPort() {
		return ExampleRedis.port();
	}

	/**
	 * Returns an initializer with all YAML configuration of a page.
	 * @param page the page, relative to the root of the project
	 * @return the initializer
	 */
	public static ApplicationContextInitializer<ConfigurableApplicationContext> configurationOf(String page) {
		List<MarkdownBlock> blocks = MarkdownBlock.all("yaml")
			.stream()
			.filter((block) -> block.page().equals(page))
			.toList();
		if (blocks.isEmpty()) {
			throw new IllegalArgumentException(page + " shows no YAML");
		}
		return (context) -> blocks
			.forEach((block) -> context.getEnvironment().getPropertySources().addLast(block.properties()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
