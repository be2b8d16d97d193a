package io.locket.dashboard.servlet;

import io.locket.dashboard.CsrfField;
import org.jspecify.annotations.Nullable;

import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The token of Spring Security in a request, loaded only where Spring Security is
 * present.
 */
final class ServletCsrf {

	private ServletCsrf() {
	}

	static @Nullable CsrfField of(ServerRequest request) {
		return request.attribute(CsrfToken.class.getName())
			.map(CsrfToken.class::cast)
			.map((token) -> new CsrfField(token.getHeaderName(), token.getToken()))
			.orElse(null);
	}

}
