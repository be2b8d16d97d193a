package io.locket.dashboard;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;

/**
 * The response headers of the page and of its files.
 */
final class DashboardHeaders {

	/**
	 * Nothing is loaded from elsewhere, nothing inline runs, no site may frame the page,
	 * and no string becomes markup.
	 */
	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
			+ "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
			+ "require-trusted-types-for 'script'; trusted-types 'none'";

	private DashboardHeaders() {
	}

	/**
	 * Set the headers of the page, which is not stored because it may hold a token.
	 * @param headers the headers of the response
	 */
	static void page(HttpHeaders headers) {
		common(headers);
		headers.setCacheControl(CacheControl.noStore());
	}

	/**
	 * Set the headers of a file, which a browser revalidates by its entity tag.
	 * @param headers the headers of the response
	 */
	static void file(HttpHeaders headers) {
		common(headers);
		headers.setCacheControl(CacheControl.noCache());
	}

	private static void common(HttpHeaders headers) {
		headers.set("Content-Security-Policy", POLICY);
		headers.set("X-Frame-Options", "DENY");
		headers.set("X-Content-Type-Options", "nosniff");
		headers.set("Referrer-Policy", "no-referrer");
		headers.set("Cross-Origin-Opener-Policy", "same-origin");
	}

}
