package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.locket.EnqueueRefusedException;
import io.locket.aop.call.RefusedCalls;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.properties.DeadProperties;
import io.locket.autoconfigure.properties.HistoryProperties;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.WorkerGroupSpec;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.EnqueueGuard;
import io.locket.job.EnqueueGuards;
import io.locket.job.JobEnqueuer;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.UnservedQueues;
import io.locket.job.administration.JobAdministration;
import io.locket.key.JobKeys;
import io.locket.lease.redis.LeaseKeys;
import io.locket.observer.JobObservers;
import io.locket.queue.EnqueueResult;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.redis.QueueSettings;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.queue.redis.RedisJobStore;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.redis.RedisConnections;
import io.locket.worker.InlineWorker;
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
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for queues: the argument codec, the queue in Redis, enqueuing and
 * administration.
 */
@AutoConfiguration(after = { LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class },
		afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
public final class QueueAutoConfiguration {

	/**
	 * The time for which a queue may have no workers while they are replaced.
	 */
	private static final Duration UNSERVED_AFTER = Duration.ofMinutes(1);

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
	@ConditionalOnClass({ RedisConnectionFactory.class, RedisJobQueue.class })
	@ConditionalOnBean({ RedisConnections.class, LeaseKeys.class })
	@Order(1)
	static class RedisConfiguration {

		@Bean
		@ConditionalOnMissingBean(JobQueue.class)
		RedisJobQueue locketJobQueue(RedisConnections connections, LeaseKeys keys, LocketProperties properties,
				JobEventPublisher events) {
			return new RedisJobQueue(connections, keys, settings(properties, connections.commandTimeout()), events);
		}

		static QueueSettings settings(LocketProperties properties, Duration commandTimeout) {
			HistoryProperties history = properties.getHistory();
			DeadProperties dead = properties.getDead();
			return new QueueSettings(commandTimeout, properties.getRetry().getMaxReclaims(), history.getMaxAge(),
					history.getMaxSize(), dead.getMaxAge(), dead.getMaxSize(), history.getAttempts());
		}

		@Bean
		@ConditionalOnBean(RedisJobQueue.class)
		@ConditionalOnMissingBean(JobStore.class)
		RedisJobStore locketJobStore(RedisConnections connections, LeaseKeys keys, JobEventPublisher events) {
			return new RedisJobStore(connections, keys, events);
		}

	}

	/**
	 * The administration of queues, if there is a job store.
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
	 * The beans for enqueuing, if there is a queue.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(2)
	@ConditionalOnBean(JobQueue.class)
	static class EnqueuingConfiguration {

		@Bean
		@ConditionalOnMissingBean
		JobEnqueuer locketJobEnqueuer(ObjectProvider<JobQueue> queue, ArgumentCodec codec, LocketProperties properties,
				ObjectProvider<LocketInstance> instance, JobObservers observers, EnqueueGuards guards,
				UnservedQueues unserved, ObjectProvider<InlineWorker> callers) {
			// A test that runs jobs by itself needs no worker.
			Supplier<Consumer<String>> watch = SingletonSupplier
				.of(() -> (callers.getIfAvailable() == null) ? unserved::enqueued : (name) -> {
				});
			LocketInstance here = instance.getIfAvailable();
			boolean serves = !WorkerGroupSpec.servedQueues(properties.getWorker()).isEmpty();
			return new JobEnqueuer(new ProducerQueue(queue, (here != null && !serves) ? here.namespace() : null), codec,
					properties.getQueue().getMaxPayload().toBytes(), properties.getQueue().isAfterCommit(), observers,
					guards, (name) -> watch.get().accept(name));
		}

		@Bean
		UnservedQueues locketUnservedQueues(ObjectProvider<JobStore> stores, LocketProperties properties) {
			return new UnservedQueues(stores::getIfAvailable, checks(), UNSERVED_AFTER,
					WorkerGroupSpec.servedQueues(properties.getWorker()));
		}

		/**
		 * Creates an executor with a daemon thread, which ends when there is nothing to
		 * check.
		 */
		private static ScheduledExecutorService checks() {
			CustomizableThreadFactory threads = new CustomizableThreadFactory("locket-unserved-");
			threads.setDaemon(true);
			ScheduledThreadPoolExecutor checks = new ScheduledThreadPoolExecutor(1, threads,
					new ThreadPoolExecutor.DiscardPolicy());
			checks.setKeepAliveTime(10, TimeUnit.SECONDS);
			checks.allowCoreThreadTimeOut(true);
			return checks;
		}

		@Bean
		EnqueueGuards locketEnqueueGuards(ObjectProvider<EnqueueGuard> guards, JobEventPublisher events) {
			return new EnqueueGuards(() -> guards.orderedStream().toList(), events);
		}

		@Bean
		RefusedCalls locketRefusedCalls(JobEnqueuer enqueuer) {
			return (job, key, args, options) -> {
				if (enqueuer.enqueue(job, key, args, options) instanceof EnqueueResult.Refused refused) {
					throw new EnqueueRefusedException(job.name(), refused.reason());
				}
			};
		}

		@Bean
		@ConditionalOnMissingBean
		Jobs locketJobs(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec, JobEnqueuer enqueuer) {
			return new Jobs(jobs, keys, codec, enqueuer);
		}

	}

}
