package io.locket.examples.howto.containers;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the example in docs/how-to/test-with-containers.md, as far as they can run
 * without a Docker engine.
 */
class RedisContainerTests {

	@Test
	void containerExposesThePortOfRedis() {
		assertThat(new RedisContainer().redis().getExposedPorts()).containsExactly(6379);
	}

}
