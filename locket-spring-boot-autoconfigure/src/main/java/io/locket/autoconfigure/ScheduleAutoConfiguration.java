package io.locket.autoconfigure;

import io.locket.event.JobEventPublisher;
import io.locket.job.JobEnqueuer;
import io.locket.job.JobTemplates;
import io.locket.job.UniqueJobs;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobQueue;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.redis.QueueExtension;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.schedule.FiringSettings;
import io.locket.schedule.LeaderDuty;
import io.locket.schedule.LeaderEvents;
import io.locket.schedule.ScheduleRunner;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.Schedules;
import io.locket.schedule.memory.InMemoryScheduleStore;
import io.locket.schedule.redis.RedisScheduleStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for recurring jobs, beside a queue of Locket's.
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, LeaderAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnBean({ JobQueue.class, LeaderLeases.class })
@EnableConfigurationProperties(LocketProperties.class)
public final class ScheduleAutoConfiguration {

	/**
	 * Return whom a duty tells: a leader never waits for listeners, and a test that fires
	 * by itself does.
	 */
	private static JobEventPublisher publisher(ObjectProvider<LeaderEvents> leader, JobEventPublisher events) {
		LeaderEvents found = leader.getIfAvailable();
		return (found != null) ? found.publisher() : events;
	}

	/**
	 * Schedules in memory, beside a queue in memory.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnBean({ LockSpace.class, InMemoryJobQueue.class })
	static class MemoryConfiguration {

		@Bean
		InMemoryScheduleStore locketScheduleStore(LockSpace space, InMemoryJobQueue queue) {
			return new InMemoryScheduleStore(space, queue);
		}

	}

	/**
	 * Schedules in Redis, beside the queue in Redis.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean({ LeaseConnections.class, LeaseKeys.class, RedisJobQueue.class })
	static class RedisConfiguration {

		@Bean
		QueueExtension locketQueueExtension(LeaseConnections connections, LeaseKeys keys, JobEventPublisher events,
				ObjectProvider<LeaderEvents> leader) {
			return new QueueExtension(connections, keys, publisher(leader, events));
		}

		@Bean
		ScheduleStore locketScheduleStore(QueueExtension extension) {
			return new RedisScheduleStore(extension);
		}

	}

	/**
	 * What looks at schedules, changes them, and fires them while this process leads.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(2)
	@ConditionalOnBean(ScheduleStore.class)
	static class SchedulesConfiguration {

		@Bean
		JobTemplates locketJobTemplates(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec, JobEnqueuer enqueuer) {
			return new JobTemplates(jobs, keys, codec, enqueuer);
		}

		@Bean
		Schedules locketSchedules(ScheduleStore store, JobTemplates templates, JobQueue queue, LeaderLeases leases,
				LocketProperties properties, Environment environment) {
			return new Schedules(store, templates, queue, leases.service(),
					LeaderGroup.of(properties, environment).name(), properties.getSchedules()::containsKey);
		}

		@Bean
		LeaderDuty locketLeaderDuty(ScheduleStore store, JobTemplates templates,
				ObjectProvider<ConfiguredSchedules> configured, LocketProperties properties, JobEventPublisher events,
				ObjectProvider<LeaderEvents> leaderEvents, Environment environment) {
			LeaderProperties leader = properties.getLeader();
			return new ScheduleRunner(store, templates::job,
					() -> configured.stream().flatMap((schedules) -> schedules.definitions().stream()).toList(),
					new FiringSettings(LeaderGroup.of(properties, environment).name(), leader.getTtl(),
							leader.getMisfireAfter()),
					publisher(leaderEvents, events), System::nanoTime);
		}

	}

}
