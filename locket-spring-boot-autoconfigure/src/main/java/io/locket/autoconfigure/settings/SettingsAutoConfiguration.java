package io.locket.autoconfigure.settings;

import java.util.List;
import java.util.stream.Collectors;

import io.locket.autoconfigure.LeaderGroup;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.lease.LocketRedis;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.queue.JobConsumerAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.lease.LeaseSettings;
import io.locket.settings.EffectiveSettings;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.WorkerSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for {@link EffectiveSettings}.
 */
@AutoConfiguration(after = { LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class,
		WorkerAutoConfiguration.class, JobConsumerAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnBean({ LocketInstance.class, UniqueJobCatalog.class })
@EnableConfigurationProperties(LocketProperties.class)
public final class SettingsAutoConfiguration {

	/**
	 * Creates the settings on first use, because jobs are known only after all beans have
	 * been defined.
	 */
	@Bean
	@Lazy
	EffectiveSettings locketEffectiveSettings(LocketProperties properties, LocketInstance instance,
			LeaseSettings leases, UniqueJobCatalog catalog, ObjectProvider<LocketRedis> redis,
			ObjectProvider<WorkerSettings> workers, LeaderGroup group) {
		WorkerSettings worker = properties.getWorker().isEnabled() ? workers.getIfAvailable() : null;
		List<GroupSettings> groups = (worker != null) ? worker.groups() : List.of();
		LocketRedis shared = redis.getIfAvailable();
		return new EffectiveSettingsMapper(properties, groups).map(instance, group.name(),
				(shared != null) ? shared.registryKey() : null, leases.commandTimeout(),
				catalog.jobs().stream().map(UniqueJobDefinition::queue).collect(Collectors.toSet()));
	}

}
