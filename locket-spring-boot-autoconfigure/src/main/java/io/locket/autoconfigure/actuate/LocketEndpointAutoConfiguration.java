package io.locket.autoconfigure.actuate;

import java.time.Clock;

import io.locket.actuate.EndpointParts;
import io.locket.actuate.EventTotals;
import io.locket.actuate.LocketEndpoint;
import io.locket.actuate.LocketEndpointJmxExtension;
import io.locket.actuate.LocketEndpointWebExtension;
import io.locket.actuate.ParameterCheck;
import io.locket.autoconfigure.lease.LockRegistryLeaseAutoConfiguration;
import io.locket.autoconfigure.lease.LocketRedis;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.autoconfigure.settings.SettingsAutoConfiguration;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.LeaderLeases;
import io.locket.schedule.leader.Leadership;
import io.locket.settings.EffectiveSettings;

import org.springframework.beans.factory.ListableBeanFactory;
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
 * Auto-configuration} of Locket's Actuator endpoint, if it is exposed and there is a job
 * administration.
 */
@AutoConfiguration(after = { LockRegistryLeaseAutoConfiguration.class, QueueAutoConfiguration.class,
		ScheduleAutoConfiguration.class, SettingsAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(JobAdministration.class)
@ConditionalOnAvailableEndpoint(LocketEndpoint.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketEndpointProperties.class)
public final class LocketEndpointAutoConfiguration {

	@Bean
	EventTotals locketEventTotals() {
		return new EventTotals(Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	LocketEndpoint locketEndpoint(JobAdministration administration, UniqueJobs jobs, LeaseSettings settings,
			ObjectProvider<LocketRedis> redis, ObjectProvider<LeaseService> leases,
			ObjectProvider<LeaderLeases> queueLeases, ObjectProvider<Schedules> schedules,
			ObjectProvider<Leadership> leadership, ObjectProvider<EffectiveSettings> effective, EventTotals events,
			ListableBeanFactory beanFactory) {
		boolean readable = beanFactory.getBeanNamesForType(EffectiveSettings.class, true, false).length > 0;
		LocketRedis shared = redis.getIfAvailable();
		LeaderLeases ofQueue = queueLeases.getIfAvailable();
		return new LocketEndpoint(new EndpointParts((shared != null) ? shared.namespace() : null, settings.instance(),
				settings.mask(), administration, jobs, leases.getIfUnique(),
				(ofQueue != null) ? ofQueue.service() : null, schedules.getIfAvailable(), leadership.getIfAvailable(),
				readable ? effective::getObject : null, events));
	}

	@Bean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	@ConditionalOnMissingBean
	LocketEndpointWebExtension locketEndpointWebExtension(LocketEndpoint endpoint, LocketEndpointProperties properties,
			ApplicationEventPublisher events) {
		return new LocketEndpointWebExtension(endpoint, properties.getShowArguments(), properties.getRoles(), events);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(endpoint = LocketEndpoint.class, exposure = EndpointExposure.WEB)
	ParameterCheck locketEndpointParameterCheck(ObjectProvider<LocketEndpoint> endpoint) {
		return new ParameterCheck(endpoint::getObject);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.JMX)
	@ConditionalOnMissingBean
	LocketEndpointJmxExtension locketEndpointJmxExtension(LocketEndpoint endpoint, LocketEndpointProperties properties,
			ApplicationEventPublisher events) {
		return new LocketEndpointJmxExtension(endpoint, properties.getShowArguments(), events);
	}

}
