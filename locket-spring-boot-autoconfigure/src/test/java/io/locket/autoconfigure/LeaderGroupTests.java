package io.locket.autoconfigure;

import io.locket.autoconfigure.properties.LocketProperties;
import org.junit.jupiter.api.Test;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderGroup}.
 */
class LeaderGroupTests {

	@Test
	void wellFormedNameOfTheApplicationIsTheGroup() {
		assertThat(group("billing-2.eu_West")).isEqualTo("billing-2.eu_West");
		assertThat(group("a".repeat(100))).isEqualTo("a".repeat(100));
	}

	@Test
	void namesThatAreAlteredStayApartAndAlike() {
		assertThat(group("\u65e5\u672c")).matches("---[0-9a-f]{8}").isNotEqualTo(group("\u4e2d\u56fd"));
		assertThat(group("my app")).isEqualTo("my-app-6777397a");
	}

	@Test
	void namesThatAreCutStayApart() {
		assertThat(group("a".repeat(101))).hasSize(100).isNotEqualTo(group("a".repeat(102)));
	}

	private static String group(String application) {
		return LeaderGroup
			.of(new LocketProperties(), new MockEnvironment().withProperty("spring.application.name", application))
			.name();
	}

}
