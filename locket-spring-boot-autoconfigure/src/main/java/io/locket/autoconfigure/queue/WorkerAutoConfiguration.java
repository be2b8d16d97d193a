package io.locket.autoconfigure.queue;

import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.queue.spi.JobQueue;
import io.locket.worker.InlineWorker;
import io.locket.worker.WorkerLifecycle;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.reservation.QueueReservationFilter;
import io.locket.worker.reservation.ReservationReporter;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.WorkerSettings;

import org.springframework.beans.factory.ObjectProvider;
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
 * Auto-configuration} for the workers of this process, if it has queues to serve.
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "locket.enabled", "locket.worker.enabled" }, matchIfMissing = true)
@ConditionalOnBean(JobQueue.class)
@Conditional(OnServedQueues.class)
@EnableConfigurationProperties(LocketProperties.class)
@Import(QueuedRunConfiguration.class)
public final class WorkerAutoConfiguration {

	@Bean
	IdleQueueFilter locketIdleQueueFilter() {
		return new IdleQueueFilter();
	}

	@Bean
	@ConditionalOnMissingBean(InlineWorker.class)
	WorkerLifecycle locketWorker(WorkerSettings settings, JobQueue queue, RunParts runs,
			ObjectProvider<QueueReservationFilter> filters, LeaseThreads threads, JobEventPublisher events) {
		JobQueue reporting = new ReservationReporter(queue, events, System::nanoTime);
		return new WorkerLifecycle(settings, reporting, runs, filters.orderedStream().toList(), threads.watch());
	}

}
