package io.locket.dashboard.autoconfigure;

import io.locket.actuate.LocketEndpointWebExtension;
import io.locket.autoconfigure.actuate.LocketEndpointAutoConfiguration;
import io.locket.autoconfigure.properties.LocketProperties;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} of the dashboard, where the endpoint {@code locket} is exposed on
 * the port of the application. On a port of their own,
 * {@link DashboardManagementContextConfiguration} applies.
 */
@AutoConfiguration(after = LocketEndpointAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = { "locket.enabled", "locket.dashboard.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
public final class LocketDashboardAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(LocketEndpointWebExtension.class)
	@ConditionalOnManagementPort(ManagementPortType.SAME)
	@Import({ DashboardPageConfiguration.class, ServletDashboardConfiguration.class,
			ReactiveDashboardConfiguration.class })
	static class ServedConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnManagementPort(ManagementPortType.DISABLED)
	static class DisabledPortConfiguration {

		@Bean
		MissingDashboardNotice locketMissingDashboardNotice(LocketProperties properties) {
			return new MissingDashboardNotice(properties.getDashboard().getBasePath(),
					"the management port is disabled. Set management.server.port to a port, or leave it out");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean({ LocketEndpointWebExtension.class, MissingDashboardNotice.class })
	static class MissingEndpointConfiguration {

		@Bean
		MissingDashboardNotice locketMissingDashboardNotice(LocketProperties properties) {
			return new MissingDashboardNotice(properties.getDashboard().getBasePath(),
					"the endpoint 'locket' is not exposed on the web. Set "
							+ "management.endpoints.web.exposure.include=health,locket");
		}

	}

}
