package io.locket.dashboard.autoconfigure;

import io.locket.dashboard.DashboardResponses;
import io.locket.dashboard.servlet.ServletDashboard;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Configuration of the dashboard on the servlet stack.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(RouterFunction.class)
class ServletDashboardConfiguration {

	@Bean
	RouterFunction<ServerResponse> locketDashboard(DashboardResponses responses) {
		return new ServletDashboard(responses).routes();
	}

}
