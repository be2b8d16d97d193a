package io.locket.dashboard;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DashboardPage}.
 */
class DashboardPageTests {

	@Test
	void endpointIsRelativeToThePage() {
		assertThat(page("/locket").render(null)).contains("name=\"locket-endpoint\" content=\"../actuator/locket\"");
		assertThat(page("/ops/jobs").render(null))
			.contains("name=\"locket-endpoint\" content=\"../../actuator/locket\"");
	}

	@Test
	void redirectIsRelativeToThePathWithoutASlash() {
		assertThat(page("/ops/jobs").redirect()).isEqualTo("jobs/");
	}

	@Test
	void accessIsThatOfTheEndpoint() {
		assertThat(page("/locket").render(null)).contains("name=\"locket-access\" content=\"unrestricted\"");
		assertThat(new DashboardPage("/locket", () -> "/actuator/locket", false).render(null))
			.contains("name=\"locket-access\" content=\"read-only\"");
	}

	@Test
	void tokenIsEscaped() {
		assertThat(page("/locket").render(new CsrfField("X-CSRF-TOKEN", "\"><script>"))).doesNotContain("\"><script>")
			.contains("name=\"csrf-header\" content=\"X-CSRF-TOKEN\"")
			.contains("name=\"csrf-token\" content=\"&quot;&gt;&lt;script&gt;\"");
	}

	@Test
	void pageHasNoPlaceholderLeft() {
		assertThat(page("/locket").render(null)).doesNotContain("{{");
	}

	private static DashboardPage page(String path) {
		return new DashboardPage(path, () -> "/actuator/locket", true);
	}

}
