package io.locket.examples.howto.containers;

import java.util.UUID;

import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistrar;

@TestConfiguration(proxyBeanMethods = false)
class RedisContainer {

	@Bean(initMethod = "start", destroyMethod = "stop")
	GenericContainer<?> redis() {
		return new GenericContainer<>("redis:7.0").withExposedPorts(6379);
	}

	@Bean
	DynamicPropertyRegistrar redisProperties(GenericContainer<?> redis) {
		String namespace = "test-" + UUID.randomUUID();
		return (registry) -> {
			registry.add("spring.data.redis.host", redis::getHost);
			registry.add("spring.data.redis.port", redis::getFirstMappedPort);
			registry.add("locket.namespace", () -> namespace);
		};
	}

}
