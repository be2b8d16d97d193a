package io.locket.dashboard.servlet;

import io.locket.dashboard.CsrfField;
import io.locket.dashboard.DashboardResponses;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Routes of the dashboard on the servlet stack. Thread-safe.
 */
public final class ServletDashboard {

	private static final boolean SECURED = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			ServletDashboard.class.getClassLoader());

	private final DashboardResponses responses;

	/**
	 * Creates a dashboard.
	 * @param responses the responses
	 */
	public ServletDashboard(DashboardResponses responses) {
		this.responses = responses;
	}

	/**
	 * Return the routes.
	 * @return the routes, which leave unknown paths to others
	 */
	public RouterFunction<ServerResponse> routes() {
		String path = this.responses.basePath();
		RouterFunctions.Builder routes = RouterFunctions.route()
			.route(read(path), (request) -> response(this.responses.redirect()))
			.route(read(path + "/"), (request) -> response(this.responses.page(csrf(request))));
		for (String file : this.responses.files()) {
			routes.route(read(path + "/" + file), (request) -> response(this.responses.file(file)));
		}
		return routes.build();
	}

	private static RequestPredicate read(String path) {
		return RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(RequestPredicates.path(path));
	}

	private @Nullable CsrfField csrf(ServerRequest request) {
		return (SECURED && this.responses.needsToken()) ? ServletCsrf.of(request) : null;
	}

	private static ServerResponse response(ResponseEntity<?> entity) {
		ServerResponse.BodyBuilder response = ServerResponse.status(entity.getStatusCode())
			.headers((headers) -> headers.putAll(entity.getHeaders()));
		Object body = entity.getBody();
		return (body != null) ? response.body(body) : response.build();
	}

}
