package io.locket.autoconfigure.schedule;

import io.locket.autoconfigure.LeaderGroup;
import io.locket.autoconfigure.lease.LockRegistryLeaseAutoConfiguration;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.spi.JobQueue;
import io.locket.redis.RedisConnections;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.LeaderEvents;
import io.locket.schedule.leader.LeaderLeases;
import io.locket.schedule.leader.LeaderTask;
import io.locket.schedule.leader.Leadership;
import io.locket.worker.InlineWorker;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the leader of the fleet, if there is a queue.
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, LockRegistryLeaseAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnBean(JobQueue.class)
@EnableConfigurationProperties(LocketProperties.class)
public final class LeaderAutoConfiguration {

	/**
	 * The leader's lease in Redis, also if direct calls have their leases in another
	 * store.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnClass({ RedisConnectionFactory.class, RedisLeaseService.class })
	@ConditionalOnBean({ RedisConnections.class, LeaseKeys.class })
	@ConditionalOnMissingBean(LeaderLeases.class)
	static class RedisConfiguration {

		@Bean
		LeaderLeases locketLeaderLeases(ObjectProvider<LeaseService> leases, RedisConnections connections,
				LeaseKeys keys, LeaseSettings settings, JobKeys jobKeys, LeaseHeartbeat heartbeat, LeaseThreads threads,
				JobEventPublisher events) {
			if (leases.getIfUnique() instanceof RedisLeaseService shared) {
				return LeaderLeases.shared(shared);
			}
			RedisLeaseService own = new RedisLeaseService(connections, keys, settings, jobKeys, heartbeat, threads,
					events, System::nanoTime);
			return new LeaderLeases(own, own::close);
		}

	}

	/**
	 * The status of the leadership, and the election. A test that runs jobs by itself
	 * takes no part in the election.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(2)
	@ConditionalOnBean(LeaderLeases.class)
	static class LeadershipConfiguration {

		@Bean
		Leadership locketLeadership(LeaderLeases leases, LeaderGroup group) {
			return new Leadership(leases.service(), group.namespace(), group.name());
		}

		@Bean
		@ConditionalOnMissingBean(InlineWorker.class)
		@ConditionalOnBooleanProperty(name = "locket.leader.enabled", matchIfMissing = true)
		LeaderEvents locketLeaderEvents(JobEventPublisher events) {
			return new LeaderEvents(events);
		}

		@Bean
		@ConditionalOnBean(LeaderEvents.class)
		LeaderElection locketLeaderElection(LeaderLeases leases, Leadership leadership, LocketProperties properties,
				ObjectProvider<LeaderTask> task, LeaderEvents events) {
			return new LeaderElection(leases.service(), leadership, properties.getLeader().getTtl(),
					new ConditionalLeaderTask(task.getIfAvailable(), properties.getLeader().getEnabled() != null),
					events, properties.getRedis().getCommandTimeout());
		}

	}

}
