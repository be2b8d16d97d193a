package io.locket.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.aop.OnLost;
import io.locket.event.JobEventPublisher;
import io.locket.job.UniqueJobCatalog;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseHeartbeat;
import io.locket.lease.LeaseThreads;
import io.locket.lease.RunLeases;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobQueue;
import io.locket.worker.GroupSettings;
import io.locket.worker.IdleQueueFilter;
import io.locket.worker.JobHandlers;
import io.locket.worker.QueueReservationFilter;
import io.locket.worker.QueueRunRenewer;
import io.locket.worker.RetrySettings;
import io.locket.worker.UniqueJobHandlers;
import io.locket.worker.WeightedQueue;
import io.locket.worker.WorkerLifecycle;
import io.locket.worker.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the workers of this process, where it has queues to serve.
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "locket.enabled", "locket.worker.enabled" }, matchIfMissing = true)
@ConditionalOnBean(JobQueue.class)
@Conditional(OnServedQueues.class)
@EnableConfigurationProperties(LocketProperties.class)
public final class WorkerAutoConfiguration {

	private static final Log logger = LogFactory.getLog(WorkerAutoConfiguration.class);

	/**
	 * After how long a job comes back that this process cannot run: another version of
	 * the application may be there to run it.
	 */
	private static final Duration DEFER_DELAY = Duration.ofSeconds(30);

	@Bean
	static LazyInitializationExcludeFilter locketWorkerExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(WorkerLifecycle.class);
	}

	@Bean
	IdleQueueFilter locketIdleQueueFilter() {
		return new IdleQueueFilter();
	}

	@Bean
	@ConditionalOnMissingBean
	JobHandlers locketJobHandlers(UniqueJobCatalog catalog, ArgumentCodec codec, BeanFactory beanFactory) {
		return new UniqueJobHandlers(catalog, codec, beanFactory);
	}

	/**
	 * Heartbeat and connections live on until the last body has ended.
	 */
	@Bean
	RunLeases locketRunLeases(JobQueue queue, LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events,
			ObjectProvider<LeaseConnections> connections) {
		LeaseConnections redis = connections.getIfAvailable();
		Runnable onEnd = (redis != null) ? redis.retain()::close
				: () -> logger.trace("The queue closes its own connections");
		return new RunLeases(new QueueRunRenewer(queue), heartbeat, threads, events, System::nanoTime, onEnd);
	}

	@Bean
	WorkerLifecycle locketWorker(LocketProperties properties, LocketInstance instance, JobQueue queue, RunLeases leases,
			JobHandlers handlers, ObjectProvider<QueueReservationFilter> filters, JobKeys keys, LeaseThreads threads) {
		if (properties.getLease().getStore() == LeaseStore.LOCK_REGISTRY) {
			logger.warn("Direct calls take their locks from the application's LockRegistry, and queued runs from Redis:"
					+ " they exclude one another only if that registry is on Locket's own registry key");
		}
		return new WorkerLifecycle(settings(properties, instance), queue, leases, handlers,
				filters.orderedStream().toList(), keys, threads.watch(), System::nanoTime);
	}

	private static WorkerSettings settings(LocketProperties properties, LocketInstance instance) {
		WorkerProperties worker = properties.getWorker();
		RetryProperties.Backoff backoff = properties.getRetry().getBackoff();
		Map<String, Integer> maxRunning = new LinkedHashMap<>();
		properties.getQueues().forEach((name, queue) -> maxRunning.put(name, queue.getMaxRunning()));
		List<GroupSettings> groups = WorkerGroupSpec.of(worker).stream().map(WorkerAutoConfiguration::group).toList();
		return new WorkerSettings(instance.name(), groups, maxRunning, worker.getShutdownGrace(),
				properties.getLease().getOnLost().getQueued() == OnLost.INTERRUPT, DEFER_DELAY, new RetrySettings(
						backoff.getInitial(), backoff.getMultiplier(), backoff.getMax(), backoff.getJitter()));
	}

	private static GroupSettings group(WorkerGroupSpec group) {
		List<WeightedQueue> queues = group.queues()
			.stream()
			.map((queue) -> new WeightedQueue(queue.name(), queue.weight()))
			.toList();
		return new GroupSettings(group.name(), queues, group.order(), group.concurrency(), group.threads(),
				group.batch(), group.pollInterval());
	}

}
