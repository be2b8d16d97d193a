package io.locket.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.aop.OnLost;
import io.locket.event.JobEventPublisher;
import io.locket.job.UniqueJobCatalog;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseHeartbeat;
import io.locket.lease.LeaseThreads;
import io.locket.lease.RunLeases;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobQueue;
import io.locket.worker.GroupSettings;
import io.locket.worker.JobHandlers;
import io.locket.worker.QueueRunRenewer;
import io.locket.worker.ReclaimLog;
import io.locket.worker.RetrySettings;
import io.locket.worker.UniqueJobHandlers;
import io.locket.worker.WeightedQueue;
import io.locket.worker.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What workers and consumers share: the leases of queued runs, and what can run them
 * here.
 */
@Configuration(proxyBeanMethods = false)
class QueuedRunConfiguration {

	private static final Log logger = LogFactory.getLog(QueuedRunConfiguration.class);

	/**
	 * After how long a job comes back that this process cannot run: another version of
	 * the application may be there to run it.
	 */
	static final Duration DEFER_DELAY = Duration.ofSeconds(30);

	@Bean
	WorkerSettings locketWorkerSettings(LocketProperties properties, LocketInstance instance) {
		WorkerProperties worker = properties.getWorker();
		List<GroupSettings> groups = WorkerGroupSpec.of(worker).stream().map(QueuedRunConfiguration::group).toList();
		return new WorkerSettings(instance.namespace(), instance.name(), groups, maxRunning(properties),
				worker.getShutdownGrace(), properties.getLease().getOnLost().getQueued() == OnLost.INTERRUPT,
				DEFER_DELAY, retry(properties));
	}

	private static GroupSettings group(WorkerGroupSpec group) {
		List<WeightedQueue> queues = group.queues()
			.stream()
			.map((queue) -> new WeightedQueue(queue.name(), queue.weight()))
			.toList();
		return new GroupSettings(group.name(), queues, group.order(), group.concurrency(), group.threads(),
				group.batch(), group.pollInterval());
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
