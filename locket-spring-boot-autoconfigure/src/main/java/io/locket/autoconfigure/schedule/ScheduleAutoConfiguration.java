package io.locket.autoconfigure.schedule;

import io.locket.autoconfigure.ConfiguredSchedules;
import io.locket.autoconfigure.LeaderGroup;
import io.locket.autoconfigure.properties.LeaderProperties;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.JobEnqueuer;
import io.locket.job.JobTemplates;
import io.locket.job.UniqueJobs;
import io.locket.key.JobKeys;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.redis.QueueExtension;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.queue.spi.JobQueue;
import io.locket.redis.RedisConnections;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.Schedules;
import io.locket.schedule.firing.FiringSettings;
import io.locket.schedule.firing.ScheduleRunner;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.LeaderEvents;
import io.locket.schedule.leader.LeaderLeases;
import io.locket.schedule.redis.RedisScheduleStore;

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
 * Auto-configuration} for recurring jobs, if there is a Locket queue.
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, LeaderAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnBean({ JobQueue.class, LeaderLeases.class })
@EnableConfigurationProperties(LocketProperties.class)
public final class ScheduleAutoConfiguration {

	/**
	 * Returns the publisher of a task's events. A leader never waits for listeners; a
	 * test that fires schedules by itself does.
	 */
	private static JobEventPublisher publisher(ObjectProvider<LeaderEvents> leader, JobEventPublisher events) {
		LeaderEvents found = leader.getIfAvailable();
		return (found != null) ? found.publisher() : events;
	}

	/**
	 * Schedules in Redis, for a queue in Redis.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnClass({ RedisConnectionFactory.class, RedisJobQueue.class })
	@ConditionalOnBean({ RedisConnections.class, LeaseKeys.class, RedisJobQueue.class })
	@ConditionalOnMissingBean(ScheduleStore.class)
	static class RedisConfiguration {

		@Bean
		QueueExtension locketQueueExtension(RedisConnections connections, LeaseKeys keys, JobEventPublisher events,
				ObjectProvider<LeaderEvents> leader) {
			return new QueueExtension(connections, keys, publisher(leader, events));
		}

		@Bean
		ScheduleStore locketScheduleStore(QueueExtension extension) {
			return new RedisScheduleStore(extension);
		}

	}

	/**
	 * The beans that show, change and fire schedules.
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
				LocketProperties properties, LeaderGroup group, ObjectProvider<LeaderElection> election) {
			return new Schedules(store, templates, queue, leases.service(), group.name(),
					properties.getSchedules()::containsKey, () -> election.ifAvailable(LeaderElection::enter));
		}

		@Bean
		ScheduleRunner locketLeaderTask(ScheduleStore store, JobTemplates templates,
				ObjectProvider<ConfiguredSchedules> configured, LocketProperties properties, JobEventPublisher events,
				ObjectProvider<LeaderEvents> leaderEvents, LeaderGroup group) {
			LeaderProperties leader = properties.getLeader();
			return new ScheduleRunner(store, templates::job,
					() -> configured.stream().flatMap((schedules) -> schedules.definitions().stream()).toList(),
					new FiringSettings(group.name(), leader.getTtl(), leader.getMisfireAfter()),
					publisher(leaderEvents, events), System::nanoTime);
		}

	}

}
