package io.locket.benchmarks.app;

import java.util.ArrayList;
import java.util.List;

import io.locket.benchmarks.redis.BenchmarkRedis;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An application with the starter and the jobs of the benchmarks.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class LocketApplication {

	/**
	 * Property that has the number of jobs of which one fails once.
	 */
	public static final String FAIL_EACH = "benchmark.fail-each";

	@Bean
	EmptyJobs emptyJobs(@Value("${" + FAIL_EACH + ":0}") int failEach) {
		return new EmptyJobs(failEach);
	}

	/**
	 * Starts the application.
	 * @param redis the Redis to use
	 * @param namespace the namespace
	 * @param properties further properties, as {@code name=value}
	 * @return the context
	 */
	public static ConfigurableApplicationContext start(BenchmarkRedis redis, String namespace, String... properties) {
		return start(redis.host(), redis.port(), namespace, properties);
	}

	/**
	 * Starts the application.
	 * @param host the host of Redis
	 * @param port the port of Redis
	 * @param namespace the namespace
	 * @param properties further properties, as {@code name=value}
	 * @return the context
	 */
	public static ConfigurableApplicationContext start(String host, int port, String namespace, String... properties) {
		List<String> all = new ArrayList<>(List.of("spring.main.banner-mode=off", "spring.data.redis.host=" + host,
				"spring.data.redis.port=" + port, "spring.application.name=benchmark", "locket.namespace=" + namespace,
				"logging.level.root=warn",
				// Each application serves only the queues that its benchmark fills.
				"logging.level.io.locket.autoconfigure.job.UnknownQueueNotice=error"));
		all.addAll(List.of(properties));
		return new SpringApplicationBuilder(LocketApplication.class).web(WebApplicationType.NONE)
			.properties(all.toArray(String[]::new))
			.run();
	}

}
