package io.locket.autoconfigure.health;

import io.locket.autoconfigure.LeaseAutoConfiguration;
import io.locket.health.LocketHealthIndicator;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.queue.redis.MemoryPolicyCheck;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} of Locket's health, where Spring Boot's health is present.
 */
@AutoConfiguration(after = LeaseAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(MemoryPolicyCheck.class)
@ConditionalOnEnabledHealthIndicator("locket")
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
public final class LocketHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "locketHealthIndicator")
	LocketHealthIndicator locketHealthIndicator(LeaseConnections connections, LeaseKeys keys,
			MemoryPolicyCheck policy) {
		return new LocketHealthIndicator(new RedisProbe(connections, keys, policy));
	}

}
