package io.locket.dashboard.reactive;

import io.locket.dashboard.CsrfField;
import reactor.core.publisher.Mono;

import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The token of Spring Security in a request, loaded only where Spring Security is
 * present.
 */
final class ReactiveCsrf {

	private ReactiveCsrf() {
	}

	static Mono<CsrfField> of(ServerRequest request) {
		Mono<CsrfToken> token = request.exchange().getAttribute(CsrfToken.class.getName());
		return (token != null) ? token.map((found) -> new CsrfField(found.getHeaderName(), found.getToken()))
				: Mono.empty();
	}

}
