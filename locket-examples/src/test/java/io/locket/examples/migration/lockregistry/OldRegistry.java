package io.locket.examples.migration.lockregistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

@Configuration(proxyBeanMethods = false)
class OldRegistry {

	@Bean
	RedisLockRegistry lockRegistry(RedisConnectionFactory connectionFactory) {
		return new RedisLockRegistry(connectionFactory, "locks");
	}

}
