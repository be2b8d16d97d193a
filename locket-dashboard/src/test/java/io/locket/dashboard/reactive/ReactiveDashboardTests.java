package io.locket.dashboard.reactive;

import io.locket.dashboard.DashboardFiles;
import io.locket.dashboard.DashboardPage;
import io.locket.dashboard.DashboardResponses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.security.web.server.csrf.DefaultCsrfToken;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReactiveDashboard}.
 */
class ReactiveDashboardTests {

	private final DashboardPage page = new DashboardPage("/ops/locket", () -> "/actuator/locket", true);

	private final WebTestClient client = WebTestClient
		.bindToRouterFunction(new ReactiveDashboard(new DashboardResponses(this.page, new DashboardFiles())).routes())
		.webFilter((exchange, chain) -> {
			CsrfToken token = new DefaultCsrfToken("X-CSRF-TOKEN", "_csrf", "abc");
			exchange.getAttributes().put(CsrfToken.class.getName(), Mono.just(token));
			return chain.filter(exchange);
		})
		.build();

	@Test
	void pathWithoutASlashRedirectsRelatively() {
		this.client.get().uri("/ops/locket").exchange().expectStatus().isFound().expectHeader().location("locket/");
	}

	@Test
	void pageHasHeadersThatProtectItAndTheTokenOfSpringSecurity() {
		this.client.get()
			.uri("/ops/locket/")
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.TEXT_HTML)
			.expectHeader()
			.valueEquals("X-Frame-Options", "DENY")
			.expectHeader()
			.value("Content-Security-Policy",
					(policy) -> assertThat(policy).contains("default-src 'none'", "frame-ancestors 'none'")
						.doesNotContain("unsafe"))
			.expectBody(String.class)
			.value((body) -> assertThat(body).contains("name=\"csrf-token\" content=\"abc\"",
					"content=\"../../actuator/locket\""));
	}

	@Test
	void fileIsRevalidatedByItsTag() {
		String tag = this.client.get()
			.uri("/ops/locket/style.css")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult()
			.getResponseHeaders()
			.getETag();
		this.client.get()
			.uri("/ops/locket/style.css")
			.header("If-None-Match", tag)
			.exchange()
			.expectStatus()
			.isNotModified();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ops/locket/", "/ops/locket/app.js" })
	void headRequestGetsTheResponseOfAGetRequest(String path) {
		this.client.head().uri(path).exchange().expectStatus().isOk().expectBody().isEmpty();
	}

	@Test
	void unknownFileIsNotFound() {
		this.client.get().uri("/ops/locket/other.js").exchange().expectStatus().isNotFound();
	}

}
