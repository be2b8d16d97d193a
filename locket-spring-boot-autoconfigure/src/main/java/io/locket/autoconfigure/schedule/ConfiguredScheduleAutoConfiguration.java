package io.locket.autoconfigure.schedule;

import java.util.List;
import java.util.Map;

import io.locket.autoconfigure.ConfiguredSchedules;
import io.locket.autoconfigure.LeaderGroup;
import io.locket.autoconfigure.LocketBaseConfiguration;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.ScheduleProperties;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.JobTemplates;
import io.locket.schedule.ScheduleDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for {@code locket.schedules}. Every process checks the schedules,
 * because each of them may become the leader.
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
@Import(LocketBaseConfiguration.class)
public final class ConfiguredScheduleAutoConfiguration {

	private static final Log logger = LogFactory.getLog(ConfiguredScheduleAutoConfiguration.class);

	/**
	 * Creates the check of schedule names, which runs before properties are bound.
	 */
	@Bean
	static BeanFactoryPostProcessor locketScheduleKeyCheck(ConfigurableEnvironment environment) {
		return (beanFactory) -> new ScheduleKeys(environment).check();
	}

	@Bean
	ConfiguredSchedules locketConfiguredSchedules(LocketProperties properties, LeaderGroup group,
			ObjectProvider<JobTemplates> templates, ConfigurableListableBeanFactory beanFactory) {
		return new ConfiguredSchedules(() -> {
			Map<String, ScheduleProperties> schedules = properties.getSchedules();
			if (!schedules.isEmpty() && Boolean.FALSE.equals(properties.getLeader().getEnabled())) {
				logger.info("Schedules in locket.schedules do not fire from this process because locket.leader.enabled"
						+ " is false. Another process of the application must lead. Schedules: " + schedules.keySet());
			}
			return read(schedules, templates.getIfAvailable(), beanFactory, group.name());
		});
	}

	private static List<ScheduleDefinition> read(Map<String, ScheduleProperties> schedules,
			@Nullable JobTemplates templates, ConfigurableListableBeanFactory beanFactory, String group) {
		if (templates != null) {
			return new ScheduleReader(templates, beanFactory, group).read(schedules);
		}
		if (!schedules.isEmpty()) {
			logger
				.warn("No Locket queue exists, so no schedule of locket.schedules fires from this process. Schedules: "
						+ schedules.keySet()
						+ ". Configure spring.data.redis.* and add locket-spring-boot-starter, and define no JobQueue bean");
		}
		return List.of();
	}

}
