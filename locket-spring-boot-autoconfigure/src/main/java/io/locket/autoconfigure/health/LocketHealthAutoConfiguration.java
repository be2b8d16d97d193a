package io.locket.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.autoconfigure.LeaderAutoConfiguration;
import io.locket.autoconfigure.LeaseAutoConfiguration;
import io.locket.autoconfigure.LocketProperties;
import io.locket.autoconfigure.WorkerAutoConfiguration;
import io.locket.health.HeartbeatHealthIndicator;
import io.locket.health.LeaderHealthIndicator;
import io.locket.health.LocketHealthIndicator;
import io.locket.health.StoreProbe;
import io.locket.health.WorkerHealthIndicator;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseHeartbeat;
import io.locket.lease.LeaseKeys;
import io.locket.queue.redis.MemoryPolicyCheck;
import io.locket.schedule.LeaderElection;
import io.locket.schedule.Leadership;
import io.locket.worker.WorkerLifecycle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} of Locket's health, where Spring Boot's health is present: of its
 * Redis, of the heartbeat, and of the workers and the leadership where this process takes
 * part.
 */
@AutoConfiguration(
		after = { LeaseAutoConfiguration.class, WorkerAutoConfiguration.class, LeaderAutoConfiguration.class })
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(MemoryPolicyCheck.class)
@ConditionalOnEnabledHealthIndicator("locket")
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
public final class LocketHealthAutoConfiguration {

	/**
	 * Redis comes first: while it gives no answer, nobody else asks it.
	 */
	@Bean
	@ConditionalOnMissingBean(name = { "locketHealthIndicator", "locketHealthContributor" })
	HealthContributor locketHealthContributor(LeaseConnections connections, LeaseKeys keys, MemoryPolicyCheck policy,
			LeaseHeartbeat heartbeat, ObjectProvider<WorkerLifecycle> workers, ObjectProvider<LeaderElection> election,
			ObjectProvider<Leadership> leadership, LocketProperties properties) {
		StoreProbe store = new RedisProbe(connections, keys, policy, System::nanoTime);
		Map<String, HealthContributor> members = new LinkedHashMap<>();
		members.put("redis", new LocketHealthIndicator(store));
		members.put("heartbeat", new HeartbeatHealthIndicator(heartbeat));
		WorkerLifecycle worker = workers.getIfAvailable();
		if (worker != null) {
			members.put("worker", new WorkerHealthIndicator(worker::status));
		}
		if (election.getIfAvailable() != null) {
			members.put("leader", new LeaderHealthIndicator(leadership.getObject(), properties.getLeader().getTtl(),
					store::isAway, System::nanoTime));
		}
		return CompositeHealthContributor.fromMap(members);
	}

}
