package io.locket.dashboard.servlet;

import io.locket.dashboard.DashboardFiles;
import io.locket.dashboard.DashboardPage;
import io.locket.dashboard.DashboardResponses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.MediaType;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServletDashboard}.
 */
class ServletDashboardTests {

	private final MockMvcTester mvc = tester(true);

	@Test
	void pathWithoutASlashRedirectsRelatively() {
		assertThat(this.mvc.get().uri("/ops/locket")).hasStatus(302).hasHeader("Location", "locket/");
	}

	@Test
	void pageHasHeadersThatProtectIt() {
		assertThat(this.mvc.get().uri("/ops/locket/")).hasStatusOk()
			.hasContentTypeCompatibleWith(MediaType.TEXT_HTML)
			.hasHeader("X-Frame-Options", "DENY")
			.hasHeader("X-Content-Type-Options", "nosniff")
			.hasHeader("Cache-Control", "no-store")
			.headers()
			.hasHeaderSatisfying("Content-Security-Policy", (policy) -> assertThat(policy.get(0))
				.contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
						"form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'")
				.doesNotContain("unsafe"));
	}

	@Test
	void fileIsRevalidatedByItsTag() {
		String tag = this.mvc.get().uri("/ops/locket/app.js").exchange().getResponse().getHeader("ETag");
		assertThat(tag).isNotNull();
		assertThat(this.mvc.get().uri("/ops/locket/app.js")).hasStatusOk()
			.hasContentTypeCompatibleWith(MediaType.parseMediaType("text/javascript"))
			.hasHeader("Cache-Control", "no-cache")
			.hasHeader("X-Content-Type-Options", "nosniff");
		assertThat(this.mvc.get().uri("/ops/locket/app.js").header("If-None-Match", tag)).hasStatus(304);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ops/locket/", "/ops/locket/app.js" })
	void headRequestGetsTheResponseOfAGetRequest(String path) {
		assertThat(this.mvc.head().uri(path)).hasStatusOk();
	}

	@Test
	void unknownFileIsNotFound() {
		assertThat(this.mvc.get().uri("/ops/locket/other.js")).hasStatus(404);
	}

	@Test
	void pageHasTheTokenOfSpringSecurity() {
		DefaultCsrfToken token = new DefaultCsrfToken("X-CSRF-TOKEN", "_csrf", "abc");
		assertThat(this.mvc.get().uri("/ops/locket/").requestAttr(CsrfToken.class.getName(), token)).bodyText()
			.contains("name=\"csrf-token\" content=\"abc\"");
		assertThat(tester(false).get().uri("/ops/locket/").requestAttr(CsrfToken.class.getName(), token)).bodyText()
			.contains("name=\"csrf-token\" content=\"\"");
	}

	private static MockMvcTester tester(boolean writable) {
		DashboardPage page = new DashboardPage("/ops/locket", () -> "/actuator/locket", writable);
		DashboardResponses responses = new DashboardResponses(page, new DashboardFiles());
		return MockMvcTester.create(MockMvcBuilders.routerFunctions(new ServletDashboard(responses).routes()).build());
	}

}
