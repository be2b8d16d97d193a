package io.locket.autoconfigure;

import io.locket.event.JobEventPublisher;
import io.locket.event.JobObservers;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseThreads;
import io.locket.lease.RunLeases;
import io.locket.queue.JobQueue;
import io.locket.worker.CallerWorker;
import io.locket.worker.IdleQueueFilter;
import io.locket.worker.JobHandlers;
import io.locket.worker.QueueReservationFilter;
import io.locket.worker.ReservationReporter;
import io.locket.worker.WorkerLifecycle;
import io.locket.worker.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the workers of this process, where it has queues to serve.
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "locket.enabled", "locket.worker.enabled" }, matchIfMissing = true)
@ConditionalOnBean(JobQueue.class)
@Conditional(OnServedQueues.class)
@EnableConfigurationProperties(LocketProperties.class)
@Import(QueuedRunConfiguration.class)
public final class WorkerAutoConfiguration {

	private static final Log logger = LogFactory.getLog(WorkerAutoConfiguration.class);

	@Bean
	static LazyInitializationExcludeFilter locketWorkerExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(WorkerLifecycle.class);
	}

	@Bean
	IdleQueueFilter locketIdleQueueFilter() {
		return new IdleQueueFilter();
	}

	@Bean
	@ConditionalOnMissingBean(CallerWorker.class)
	WorkerLifecycle locketWorker(LocketProperties properties, WorkerSettings settings, JobQueue queue, RunLeases leases,
			JobHandlers handlers, ObjectProvider<QueueReservationFilter> filters, JobKeys keys, LeaseThreads threads,
			JobEventPublisher events, JobObservers observers) {
		if (properties.getLease().getStore() == LeaseStore.LOCK_REGISTRY) {
			logger.warn("Direct calls take their locks from the application's LockRegistry, and queued runs from Redis:"
					+ " they exclude one another only if that registry is on Locket's own registry key, as it should be where"
					+ " jobs are both called and enqueued");
		}
		JobQueue reporting = new ReservationReporter(queue, events, System::nanoTime);
		return new WorkerLifecycle(settings, reporting, leases, handlers, filters.orderedStream().toList(), keys,
				threads.watch(), observers, System::nanoTime);
	}

}
