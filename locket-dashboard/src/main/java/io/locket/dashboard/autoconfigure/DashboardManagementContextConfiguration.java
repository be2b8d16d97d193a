package io.locket.dashboard.autoconfigure;

import io.locket.actuate.LocketEndpointWebExtension;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Import;

/**
 * Configuration of the dashboard on a management port of its own, in the context of that
 * port.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnBean(LocketEndpointWebExtension.class)
@ConditionalOnBooleanProperty(name = { "locket.enabled", "locket.dashboard.enabled" }, matchIfMissing = true)
@Import({ DashboardPageConfiguration.class, ServletDashboardConfiguration.class, ReactiveDashboardConfiguration.class })
class DashboardManagementContextConfiguration {

}
