package io.locket.dashboard.autoconfigure;

import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.dashboard.DashboardFiles;
import io.locket.dashboard.DashboardPage;
import io.locket.dashboard.DashboardResponses;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configuration of the page and its responses, in the context whose server serves the
 * endpoint.
 */
@Configuration(proxyBeanMethods = false)
class DashboardPageConfiguration {

	private static final EndpointId ENDPOINT = EndpointId.of("locket");

	@Bean
	DashboardPage locketDashboardPage(LocketProperties properties, ObjectProvider<PathMappedEndpoints> endpoints,
			ObjectProvider<EndpointAccessResolver> access) {
		return new DashboardPage(properties.getDashboard().getBasePath(), () -> pathOf(endpoints.getObject()),
				isWritable(access.getIfAvailable()));
	}

	@Bean
	DashboardResponses locketDashboardResponses(DashboardPage page) {
		return new DashboardResponses(page, new DashboardFiles());
	}

	@Bean
	DashboardPathCheck locketDashboardPathCheck(DashboardPage page) {
		return new DashboardPathCheck(page);
	}

	private static String pathOf(PathMappedEndpoints endpoints) {
		String path = endpoints.getPath(ENDPOINT);
		return (path != null) ? path : endpoints.getBasePath() + "/" + ENDPOINT.toLowerCaseString();
	}

	private static boolean isWritable(@Nullable EndpointAccessResolver access) {
		return access != null && access.accessFor(ENDPOINT, Access.READ_ONLY) == Access.UNRESTRICTED;
	}

}
