package io.locket.autoconfigure.actuate;

import io.locket.actuate.EndpointParts;
import io.locket.actuate.LocketEndpoint;
import io.locket.actuate.LocketEndpointJmxExtension;
import io.locket.actuate.LocketEndpointWebExtension;
import io.locket.autoconfigure.LockRegistryLeaseAutoConfiguration;
import io.locket.autoconfigure.QueueAutoConfiguration;
import io.locket.autoconfigure.ScheduleAutoConfiguration;
import io.locket.job.JobAdministration;
import io.locket.job.UniqueJobs;
import io.locket.lease.LeaseKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.schedule.Leadership;
import io.locket.schedule.Schedules;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} of Locket's Actuator endpoint, where it is exposed and there are
 * queues to look after.
 */
@AutoConfiguration(after = { LockRegistryLeaseAutoConfiguration.class, QueueAutoConfiguration.class,
		ScheduleAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(JobAdministration.class)
@ConditionalOnAvailableEndpoint(LocketEndpoint.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketEndpointProperties.class)
public final class LocketEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LocketEndpoint locketEndpoint(JobAdministration administration, UniqueJobs jobs, LeaseSettings settings,
			ObjectProvider<LeaseKeys> keys, ObjectProvider<LeaseService> leases, ObjectProvider<Schedules> schedules,
			ObjectProvider<Leadership> leadership) {
		LeaseKeys redis = keys.getIfAvailable();
		return new LocketEndpoint(new EndpointParts((redis != null) ? redis.namespace() : null, settings.instance(),
				settings.mask(), administration, jobs, leases.getIfUnique(), schedules.getIfAvailable(),
				leadership.getIfAvailable()));
	}

	@Bean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	@ConditionalOnMissingBean
	LocketEndpointWebExtension locketEndpointWebExtension(LocketEndpoint endpoint, LocketEndpointProperties properties,
			ApplicationEventPublisher events) {
		return new LocketEndpointWebExtension(endpoint, properties.getShowArguments(), properties.getRoles(), events);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.JMX)
	@ConditionalOnMissingBean
	LocketEndpointJmxExtension locketEndpointJmxExtension(LocketEndpoint endpoint, LocketEndpointProperties properties,
			ApplicationEventPublisher events) {
		return new LocketEndpointJmxExtension(endpoint, properties.getShowArguments(), events);
	}

}
