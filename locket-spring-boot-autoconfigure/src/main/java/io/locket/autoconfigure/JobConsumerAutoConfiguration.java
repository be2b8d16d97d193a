package io.locket.autoconfigure;

import io.locket.event.JobEventPublisher;
import io.locket.event.JobObservers;
import io.locket.key.JobKeys;
import io.locket.lease.RunLeases;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobQueue;
import io.locket.worker.ConsumerSettings;
import io.locket.worker.JobConsumers;
import io.locket.worker.JobHandlers;
import io.locket.worker.QueueReservationFilter;
import io.locket.worker.ReservationReporter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for those who run queued jobs by workers of their own, whether or
 * not this process has workers of Locket's.
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnBean(JobQueue.class)
@EnableConfigurationProperties(LocketProperties.class)
@Import(QueuedRunConfiguration.class)
public final class JobConsumerAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobConsumers locketJobConsumers(LocketProperties properties, LocketInstance instance, JobQueue queue,
			RunLeases leases, JobHandlers handlers, ObjectProvider<QueueReservationFilter> filters, JobKeys keys,
			ArgumentCodec codec, JobEventPublisher events, JobObservers observers) {
		WorkerProperties worker = properties.getWorker();
		ConsumerSettings settings = new ConsumerSettings(instance.name(), QueuedRunConfiguration.maxRunning(properties),
				worker.getPollInterval(), worker.getShutdownGrace(), QueuedRunConfiguration.DEFER_DELAY,
				QueuedRunConfiguration.retry(properties), properties.isMaskArguments());
		JobQueue reporting = new ReservationReporter(queue, events, System::nanoTime);
		return new JobConsumers(settings, reporting, leases, handlers, filters.orderedStream().toList(), keys, codec,
				observers, System::nanoTime);
	}

}
