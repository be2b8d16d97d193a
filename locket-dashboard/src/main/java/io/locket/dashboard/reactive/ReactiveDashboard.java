package io.locket.dashboard.reactive;

import java.util.Optional;

import io.locket.dashboard.CsrfField;
import io.locket.dashboard.DashboardResponses;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Routes of the dashboard on the reactive stack. Thread-safe.
 */
public final class ReactiveDashboard {

	private static final boolean SECURED = ClassUtils
		.isPresent("org.springframework.security.web.server.csrf.CsrfToken", ReactiveDashboard.class.getClassLoader());

	private final DashboardResponses responses;

	/**
	 * Creates a dashboard.
	 * @param responses the responses
	 */
	public ReactiveDashboard(DashboardResponses responses) {
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
			.route(read(path + "/"), this::page);
		for (String file : this.responses.files()) {
			routes.route(read(path + "/" + file), (request) -> response(this.responses.file(file)));
		}
		return routes.build();
	}

	private static RequestPredicate read(String path) {
		return RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(RequestPredicates.path(path));
	}

	private Mono<ServerResponse> page(ServerRequest request) {
		return csrf(request).map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((csrf) -> response(this.responses.page(csrf.orElse(null))));
	}

	private Mono<CsrfField> csrf(ServerRequest request) {
		return (SECURED && this.responses.needsToken()) ? ReactiveCsrf.of(request) : Mono.empty();
	}

	private static Mono<ServerResponse> response(ResponseEntity<?> entity) {
		ServerResponse.BodyBuilder response = ServerResponse.status(entity.getStatusCode())
			.headers((headers) -> headers.putAll(entity.getHeaders()));
		Object body = entity.getBody();
		return (body != null) ? response.bodyValue(body) : response.build();
	}

}
