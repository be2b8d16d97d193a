package io.locket.autoconfigure;

import java.util.List;
import java.util.Map;

import io.locket.job.JobTemplates;
import io.locket.schedule.ScheduleDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for what {@code locket.schedules} says. It is checked in every
 * process, since any may lead one day.
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
public final class ConfiguredScheduleAutoConfiguration {

	private static final Log logger = LogFactory.getLog(ConfiguredScheduleAutoConfiguration.class);

	/**
	 * Before properties are bound.
	 */
	@Bean
	static BeanFactoryPostProcessor locketScheduleKeyCheck(ConfigurableEnvironment environment) {
		return (beanFactory) -> new ScheduleKeys(environment).check();
	}

	@Bean
	static LazyInitializationExcludeFilter locketConfiguredSchedulesExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(ConfiguredSchedules.class);
	}

	@Bean
	ConfiguredSchedules locketConfiguredSchedules(LocketProperties properties, ConfigurableEnvironment environment,
			ObjectProvider<JobTemplates> templates) {
		return new ConfiguredSchedules(() -> {
			Map<String, ScheduleProperties> schedules = properties.getSchedules();
			schedules.keySet().removeIf(new ScheduleKeys(environment)::isOtherwiseWritten);
			if (!schedules.isEmpty() && !properties.getLeader().isEnabled()) {
				logger.info("This process does not fire what is in locket.schedules, since locket.leader.enabled is"
						+ " false here: another process of the application has to lead, with " + schedules.keySet());
			}
			return read(schedules, templates.getIfAvailable(), LeaderGroup.of(properties, environment).name());
		});
	}

	private static List<ScheduleDefinition> read(Map<String, ScheduleProperties> schedules,
			@Nullable JobTemplates templates, String group) {
		if (templates != null) {
			return new ScheduleReader(templates, group).read(schedules);
		}
		if (!schedules.isEmpty()) {
			logger.warn("There is no queue of Locket's here, so that none of locket.schedules fires from here: "
					+ schedules.keySet()
					+ ". Configure spring.data.redis.* with locket-spring-boot-starter, and define no"
					+ " JobQueue bean");
		}
		return List.of();
	}

}
