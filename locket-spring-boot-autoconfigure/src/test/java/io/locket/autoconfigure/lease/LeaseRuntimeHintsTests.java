package io.locket.autoconfigure.lease;

import java.io.IOException;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseRuntimeHints}.
 */
class LeaseRuntimeHintsTests {

	@Test
	void everyScriptIsAvailableInANativeImage() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new LeaseRuntimeHints().registerHints(hints, getClass().getClassLoader());
		Resource[] scripts = new PathMatchingResourcePatternResolver().getResources("classpath*:io/locket/**/*.lua");
		assertThat(scripts).isNotEmpty()
			.extracting(LeaseRuntimeHintsTests::path)
			.allSatisfy(
					(path) -> assertThat(RuntimeHintsPredicates.resource().forResource(path)).as(path).accepts(hints));
	}

	@Test
	void configurationOfTheServerCanBeReadInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new LeaseRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(
				RuntimeHintsPredicates.reflection().onFieldAccess(LettuceConnectionFactory.class, LettuceServer.FIELD))
			.accepts(hints);
	}

	private static String path(Resource script) {
		try {
			String url = script.getURL().getPath();
			return url.substring(url.lastIndexOf("io/locket/"));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
