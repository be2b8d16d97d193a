package io.locket.autoconfigure.metrics;

import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.job.administration.JobAdministration;
import io.locket.metrics.CallMetrics;
import io.locket.metrics.JobMetrics;
import io.locket.metrics.LeaderMetrics;
import io.locket.metrics.LeaseMetrics;
import io.locket.metrics.QueueMetrics;
import io.locket.metrics.ReservationMetrics;
import io.locket.metrics.ScheduleMetrics;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of Locket's meters, if Spring Boot's metrics are present.
 */
@AutoConfiguration(after = { LeaderAutoConfiguration.class, QueueAutoConfiguration.class },
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration" })
@ConditionalOnClass({ MeterRegistry.class, MetricsAutoConfiguration.class })
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
public final class LocketMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeaseMetrics locketLeaseMetrics() {
		return new LeaseMetrics();
	}

	@Bean
	@ConditionalOnMissingBean
	JobMetrics locketJobMetrics() {
		return new JobMetrics();
	}

	@Bean
	@ConditionalOnMissingBean
	CallMetrics locketCallMetrics() {
		return new CallMetrics();
	}

	@Bean
	@ConditionalOnMissingBean
	ReservationMetrics locketReservationMetrics() {
		return new ReservationMetrics();
	}

	@Bean
	@ConditionalOnMissingBean
	ScheduleMetrics locketScheduleMetrics() {
		return new ScheduleMetrics();
	}

	/**
	 * Creates the meters of the leader, if this process takes part in the election.
	 */
	@Bean
	@ConditionalOnBean(LeaderElection.class)
	@ConditionalOnMissingBean
	LeaderMetrics locketLeaderMetrics(Leadership leadership, LeaderElection election) {
		return new LeaderMetrics(leadership::term, election::isIdle);
	}

	/**
	 * The meters of queues, if there is a job administration.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(JobAdministration.class)
	@EnableConfigurationProperties(LocketProperties.class)
	static class QueueMetricsConfiguration {

		@Bean
		@ConditionalOnMissingBean
		QueueMetrics locketQueueMetrics(JobAdministration administration, LocketProperties properties) {
			return new QueueMetrics(administration::overview, properties.getMetrics().getMaxAge(), System::nanoTime);
		}

	}

}
