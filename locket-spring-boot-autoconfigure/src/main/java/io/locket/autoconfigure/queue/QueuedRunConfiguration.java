package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.locket.aop.call.OnLost;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.lease.LocketRedis;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.RetryProperties;
import io.locket.autoconfigure.properties.WorkerGroupSpec;
import io.locket.autoconfigure.properties.WorkerProperties;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.key.JobKeys;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.observer.JobObservers;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.worker.reservation.ReclaimLog;
import io.locket.worker.run.JobHandlers;
import io.locket.worker.run.QueueRunRenewer;
import io.locket.worker.run.RunParts;
import io.locket.worker.run.UniqueJobHandlers;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.RetrySettings;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerSettings;
import io.locket.worker.settings.WorkerThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The beans that workers and consumers share: the leases of queued runs and the handlers.
 */
@Configuration(proxyBeanMethods = false)
class QueuedRunConfiguration {

	private static final Log logger = LogFactory.getLog(QueuedRunConfiguration.class);

	/**
	 * The delay of a job that this process cannot run. Another version of the application
	 * may be able to run it.
	 */
	static final Duration DEFER_DELAY = Duration.ofSeconds(30);

	@Bean
	WorkerSettings locketWorkerSettings(LocketProperties properties, LocketInstance instance, Environment environment) {
		WorkerProperties worker = properties.getWorker();
		WorkerThreads threads = Threading.VIRTUAL.isActive(environment) ? WorkerThreads.VIRTUAL
				: WorkerThreads.PLATFORM;
		List<GroupSettings> groups = WorkerGroupSpec.of(worker).stream().map((group) -> group(group, threads)).toList();
		return new WorkerSettings(instance.namespace(), instance.name(), groups, maxRunning(properties),
				worker.getShutdownGrace(), properties.getLease().getOnLost().getQueued() == OnLost.INTERRUPT,
				DEFER_DELAY, retry(properties));
	}

	/**
	 * Returns the settings of a group.
	 * @param group the group
	 * @param threads the kind of threads for a group without a setting
	 */
	static GroupSettings group(WorkerGroupSpec group, WorkerThreads threads) {
		List<WeightedQueue> queues = group.queues()
			.stream()
			.map((queue) -> new WeightedQueue(queue.name(), queue.weight()))
			.toList();
		return new GroupSettings(group.name(), queues, group.order(), group.concurrency(),
				Objects.requireNonNullElse(group.threads(), threads), group.batch(), group.batchHold(),
				group.pollInterval());
	}

	@Bean
	@ConditionalOnMissingBean
	JobHandlers locketJobHandlers(UniqueJobCatalog catalog, ArgumentCodec codec, BeanFactory beanFactory) {
		return new UniqueJobHandlers(catalog, codec, beanFactory);
	}

	/**
	 * Creates the leases of queued runs. Heartbeat and connections stay open until the
	 * last body has ended.
	 */
	@Bean
	RunLeases locketRunLeases(JobQueue queue, LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events,
			ObjectProvider<LocketRedis> redis) {
		LocketRedis shared = redis.getIfAvailable();
		Runnable onEnd = (shared != null) ? shared.retain()
				: () -> logger.trace("The queue closes its own connections");
		return new RunLeases(new QueueRunRenewer(queue), heartbeat, threads, events, System::nanoTime, onEnd);
	}

	@Bean
	RunParts locketRunParts(RunLeases leases, JobKeys keys, JobHandlers handlers, JobObservers observers) {
		return new RunParts(leases, keys, handlers, observers, System::nanoTime);
	}

	@Bean
	ReclaimLog locketReclaimLog() {
		return new ReclaimLog();
	}

	static Map<String, Integer> maxRunning(LocketProperties properties) {
		Map<String, Integer> maxRunning = new LinkedHashMap<>();
		properties.getQueues().forEach((name, queue) -> maxRunning.put(name, queue.getMaxRunning()));
		return maxRunning;
	}

	static RetrySettings retry(LocketProperties properties) {
		RetryProperties.Backoff backoff = properties.getRetry().getBackoff();
		return new RetrySettings(backoff.getInitial(), backoff.getMultiplier(), backoff.getMax(), backoff.getJitter());
	}

}
