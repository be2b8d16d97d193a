package io.locket.autoconfigure.diagnostics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.autoconfigure.properties.LocketProperties;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The analysis of a start that fails because of {@link LocketProperties}.
 */
public final class FailedStart {

	private FailedStart() {
	}

	/**
	 * Starts a context with properties, and analyzes its failure as Spring Boot does.
	 * @param yaml the properties
	 * @return the first analysis
	 */
	static FailureAnalysis of(String yaml) {
		AtomicReference<ConfigurableEnvironment> environment = new AtomicReference<>();
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		new ApplicationContextRunner().withUserConfiguration(PropertiesConfiguration.class)
			.withInitializer((context) -> {
				environment.set(context.getEnvironment());
				load(yaml, context.getEnvironment());
			})
			.run((context) -> {
				assertThat(context).hasFailed();
				analysis.set(analyze(context.getStartupFailure(), environment.get()));
			});
		return analysis.get();
	}

	private static void load(String yaml, ConfigurableEnvironment environment) {
		try {
			new YamlPropertySourceLoader()
				.load("test", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "application.yml"))
				.forEach(environment.getPropertySources()::addFirst);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Analyzes a failure as Spring Boot does.
	 * @param failure the failure
	 * @param environment the configuration
	 * @return the first analysis
	 */
	public static FailureAnalysis analyze(Throwable failure, ConfigurableEnvironment environment) {
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, environment),
					FailureHandler.handleMessage((message, ex) -> {
					}))
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError("No analysis", failure));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(LocketProperties.class)
	static class PropertiesConfiguration {

	}

}
