package io.locket.autoconfigure.metrics;

import io.locket.autoconfigure.LeaderAutoConfiguration;
import io.locket.autoconfigure.LocketProperties;
import io.locket.autoconfigure.QueueAutoConfiguration;
import io.locket.job.JobAdministration;
import io.locket.metrics.CallMetrics;
import io.locket.metrics.JobMetrics;
import io.locket.metrics.LeaderMetrics;
import io.locket.metrics.LeaseMetrics;
import io.locket.metrics.QueueMetrics;
import io.locket.metrics.ReservationMetrics;
import io.locket.metrics.ScheduleMetrics;
import io.locket.schedule.LeaderElection;
import io.locket.schedule.Leadership;
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
 * Auto-configuration of Locket's meters, where Spring Boot's metrics are present.
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
	 * The leader, where this process may become it.
	 */
	@Bean
	@ConditionalOnBean(LeaderElection.class)
	@ConditionalOnMissingBean
	LeaderMetrics locketLeaderMetrics(Leadership leadership) {
		return new LeaderMetrics(leadership::term);
	}

	/**
	 * The queues, where they can be looked at.
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
