package io.locket.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.health.HeartbeatHealthIndicator;
import io.locket.health.LeaderHealthIndicator;
import io.locket.health.LocketHealthIndicator;
import io.locket.health.StoreProbe;
import io.locket.health.WorkerHealthIndicator;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.redis.LeaseKeys;
import io.locket.redis.PermissionCheck;
import io.locket.redis.RedisConnections;
import io.locket.redis.ServerCheck;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
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
 * Auto-configuration} of Locket's health, if Spring Boot's health is present. It covers
 * Redis and the heartbeat, and the workers and the leadership if this process takes part.
 */
@AutoConfiguration(
		after = { LeaseAutoConfiguration.class, WorkerAutoConfiguration.class, LeaderAutoConfiguration.class })
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(ServerCheck.class)
@ConditionalOnEnabledHealthIndicator("locket")
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
public final class LocketHealthAutoConfiguration {

	/**
	 * Creates the contributor. Redis comes first, so that the other members do not call
	 * it while it does not respond.
	 */
	@Bean
	@ConditionalOnMissingBean(name = { "locketHealthIndicator", "locketHealthContributor" })
	HealthContributor locketHealthContributor(RedisConnections connections, LeaseKeys keys, ServerCheck server,
			ObjectProvider<PermissionCheck> permissions, LeaseHeartbeat heartbeat,
			ObjectProvider<WorkerLifecycle> workers, ObjectProvider<LeaderElection> election,
			ObjectProvider<Leadership> leadership, LocketProperties properties) {
		StoreProbe store = new RedisProbe(connections, keys, server, permissions.getIfAvailable(), System::nanoTime);
		Map<String, HealthContributor> members = new LinkedHashMap<>();
		members.put("redis", new LocketHealthIndicator(store));
		members.put("heartbeat", new HeartbeatHealthIndicator(heartbeat));
		WorkerLifecycle worker = workers.getIfAvailable();
		if (worker != null) {
			members.put("worker", new WorkerHealthIndicator(worker::status));
		}
		LeaderElection leader = election.getIfAvailable();
		if (leader != null) {
			members.put("leader", new LeaderHealthIndicator(leadership.getObject(), leader,
					properties.getLeader().getTtl(), store::isUnavailable, System::nanoTime));
		}
		return CompositeHealthContributor.fromMap(members);
	}

}
