package io.locket.autoconfigure.queue;

import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.WorkerProperties;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.worker.WorkerLifecycle;
import io.locket.worker.consumer.ConsumerSettings;
import io.locket.worker.consumer.JobConsumers;
import io.locket.worker.consumer.JobIntake;
import io.locket.worker.reservation.QueueReservationFilter;
import io.locket.worker.reservation.ReservationReporter;
import io.locket.worker.run.RunParts;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for {@link JobConsumers}, with which applications run queued jobs
 * on workers of their own. It applies whether or not this process has Locket workers.
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, WorkerAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnBean(JobQueue.class)
@EnableConfigurationProperties(LocketProperties.class)
@Import(QueuedRunConfiguration.class)
public final class JobConsumerAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobConsumers locketJobConsumers(LocketProperties properties, LocketInstance instance, JobQueue queue, RunParts runs,
			ObjectProvider<QueueReservationFilter> filters, ArgumentCodec codec, JobEventPublisher events) {
		JobQueue reporting = new ReservationReporter(queue, events, System::nanoTime);
		return new JobConsumers(settings(properties, instance), reporting, runs, filters.orderedStream().toList(),
				codec);
	}

	static ConsumerSettings settings(LocketProperties properties, LocketInstance instance) {
		WorkerProperties worker = properties.getWorker();
		return new ConsumerSettings(instance.name(), QueuedRunConfiguration.maxRunning(properties),
				worker.getPollInterval(), worker.getShutdownGrace(), QueuedRunConfiguration.DEFER_DELAY,
				QueuedRunConfiguration.retry(properties), properties.isMaskArguments());
	}

	@Bean
	@ConditionalOnBean(value = { WorkerLifecycle.class, JobConsumers.class }, search = SearchStrategy.CURRENT)
	JobIntake locketJobIntake(WorkerLifecycle workers, JobConsumers consumers) {
		return new JobIntake(workers, consumers);
	}

}
