package io.locket.autoconfigure;

import java.time.Duration;

import io.locket.event.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseHeartbeat;
import io.locket.lease.LeaseKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.LeaseThreads;
import io.locket.lease.RedisLeaseService;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.queue.JobQueue;
import io.locket.schedule.LeaderDuty;
import io.locket.schedule.LeaderElection;
import io.locket.schedule.LeaderEvents;
import io.locket.schedule.Leadership;
import io.locket.worker.CallerWorker;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the leader of the fleet, where there is a queue.
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, LockRegistryLeaseAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnBean(JobQueue.class)
@EnableConfigurationProperties(LocketProperties.class)
public final class LeaderAutoConfiguration {

	/**
	 * How long a leader rests that has nothing to do.
	 */
	private static final Duration REST = Duration.ofHours(1);

	/**
	 * The leader's lease in memory, beside a queue in memory.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnBean(InMemoryLeaseService.class)
	static class MemoryConfiguration {

		@Bean
		LeaderLeases locketLeaderLeases(InMemoryLeaseService leases) {
			return LeaderLeases.shared(leases);
		}

	}

	/**
	 * The leader's lease in Redis, also if direct calls have their leases elsewhere.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean({ LeaseConnections.class, LeaseKeys.class })
	static class RedisConfiguration {

		@Bean
		LeaderLeases locketLeaderLeases(ObjectProvider<LeaseService> leases, LeaseConnections connections,
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
	 * The status, and the part that this process takes: none where a test runs jobs
	 * itself.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(2)
	@ConditionalOnBean(LeaderLeases.class)
	static class LeadershipConfiguration {

		@Bean
		static LazyInitializationExcludeFilter locketLeaderExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(LeaderElection.class);
		}

		@Bean
		Leadership locketLeadership(LeaderLeases leases, LocketProperties properties, Environment environment) {
			LeaderGroup group = LeaderGroup.of(properties, environment);
			return new Leadership(leases.service(), group.namespace(), group.name());
		}

		@Bean
		@ConditionalOnMissingBean(CallerWorker.class)
		@ConditionalOnBooleanProperty(name = "locket.leader.enabled", matchIfMissing = true)
		LeaderEvents locketLeaderEvents(JobEventPublisher events) {
			return new LeaderEvents(events);
		}

		@Bean
		@ConditionalOnBean(LeaderEvents.class)
		LeaderElection locketLeaderElection(LeaderLeases leases, Leadership leadership, LocketProperties properties,
				ObjectProvider<LeaderDuty> duty, LeaderEvents events) {
			return new LeaderElection(leases.service(), leadership, properties.getLeader().getTtl(),
					duty.getIfAvailable(() -> (lease) -> () -> REST), events,
					properties.getRedis().getCommandTimeout());
		}

	}

}
