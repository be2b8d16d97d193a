package io.locket.autoconfigure;

import io.locket.aop.RefusedCalls;
import io.locket.event.JobEventPublisher;
import io.locket.event.JobObservers;
import io.locket.job.JobAdministration;
import io.locket.job.JobEnqueuer;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobQueue;
import io.locket.queue.JobStore;
import io.locket.queue.redis.QueueSettings;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.queue.redis.RedisJobStore;
import tools.jackson.databind.json.JsonMapper;

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
 * Auto-configuration} for queues: how arguments are written, the queue in Redis, and what
 * enqueues.
 */
@AutoConfiguration(after = { LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class },
		afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
public final class QueueAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ArgumentCodec locketArgumentCodec(ObjectProvider<JsonMapper> mappers) {
		JsonMapper mapper = mappers.getIfUnique();
		return (mapper != null) ? new ArgumentCodec(mapper) : new ArgumentCodec();
	}

	/**
	 * The queue in Redis.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean({ LeaseConnections.class, LeaseKeys.class })
	@Order(1)
	static class RedisConfiguration {

		@Bean
		@ConditionalOnMissingBean(JobQueue.class)
		RedisJobQueue locketJobQueue(LeaseConnections connections, LeaseKeys keys, LocketProperties properties,
				JobEventPublisher events) {
			QueueSettings settings = new QueueSettings(connections.commandTimeout(),
					properties.getRetry().getMaxReclaims(), properties.getHistory().getMaxAge(),
					properties.getHistory().getMaxSize(), properties.getDead().getMaxAge(),
					properties.getDead().getMaxSize());
			return new RedisJobQueue(connections, keys, settings, events);
		}

		@Bean
		@ConditionalOnBean(RedisJobQueue.class)
		@ConditionalOnMissingBean(JobStore.class)
		RedisJobStore locketJobStore(LeaseConnections connections, LeaseKeys keys, JobEventPublisher events) {
			return new RedisJobStore(connections, keys, events);
		}

	}

	/**
	 * What looks after queues, where they can be looked at.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(2)
	@ConditionalOnBean(JobStore.class)
	static class AdministrationConfiguration {

		@Bean
		@ConditionalOnMissingBean
		JobAdministration locketJobAdministration(JobStore store, UniqueJobs jobs, ArgumentCodec codec) {
			return new JobAdministration(store, jobs, codec);
		}

	}

	/**
	 * What enqueues, where there is a queue.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(2)
	@ConditionalOnBean(JobQueue.class)
	static class EnqueuingConfiguration {

		@Bean
		@ConditionalOnMissingBean
		JobEnqueuer locketJobEnqueuer(ObjectProvider<JobQueue> queue, ArgumentCodec codec, LocketProperties properties,
				ObjectProvider<LocketInstance> instance, JobObservers observers) {
			LocketInstance here = instance.getIfAvailable();
			boolean serves = properties.getWorker().isEnabled()
					&& !WorkerGroupSpec.of(properties.getWorker()).isEmpty();
			return new JobEnqueuer(new ProducerQueue(queue, (here != null && !serves) ? here.namespace() : null), codec,
					properties.getQueue().getMaxPayload().toBytes(), properties.getQueue().isAfterCommit(), observers);
		}

		@Bean
		RefusedCalls locketRefusedCalls(JobEnqueuer enqueuer) {
			return enqueuer::enqueue;
		}

		@Bean
		@ConditionalOnMissingBean
		Jobs locketJobs(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec, JobEnqueuer enqueuer) {
			return new Jobs(jobs, keys, codec, enqueuer);
		}

	}

}
