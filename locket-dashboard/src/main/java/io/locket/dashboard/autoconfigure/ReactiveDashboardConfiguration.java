package io.locket.dashboard.autoconfigure;

import io.locket.dashboard.DashboardResponses;
import io.locket.dashboard.reactive.ReactiveDashboard;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Configuration of the dashboard on the reactive stack.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RouterFunction.class)
class ReactiveDashboardConfiguration {

	@Bean
	RouterFunction<ServerResponse> locketDashboard(DashboardResponses responses) {
		return new ReactiveDashboard(responses).routes();
	}

}
