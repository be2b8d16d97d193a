package io.locket.examples;

import java.util.List;
import java.util.UUID;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Runs examples as an application of their own.
 */
public final class Examples {

	private Examples() {
	}

	/**
	 * Return an application of the given classes on a real Redis, in a namespace of its
	 * own.
	 * @param components the application's beans and configurations
	 * @return what runs it
	 */
	public static ApplicationContextRunner application(Class<?>... components) {
		return new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withUserConfiguration(components)
			.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + ExampleRedis.port(),
					"locket.namespace=example-" + UUID.randomUUID());
	}

	/**
	 * Configure an application with all that a page shows as YAML.
	 * @param page the page, from the root of the project
	 * @return what adds it to an application
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
