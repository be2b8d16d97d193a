package io.locket.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link NameRule}.
 */
class NameRuleTests {

	private static final NameRule RULE = new NameRule("._-", 10);

	@ParameterizedTest
	@ValueSource(strings = { "a", "z", "A", "Z", "0", "9", "...", "_", "-", ".a", "a.B_3-4xyz" })
	void nameMatches(String name) {
		assertThat(RULE.matches(name)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "a:b", "a b", "a\n", "ä", "٣", "@", "[", "`", "{", "/", "a.B_3-4xyz5" })
	void nameDoesNotMatch(String name) {
		assertThat(RULE.matches(name)).isFalse();
	}

	@Test
	void messageHasTheRuleAndTheNameOnOneLine() {
		RULE.require("A name", "a.B");
		assertThatIllegalArgumentException().isThrownBy(() -> RULE.require("A name", "a\nb"))
			.withMessage(
					"A name has 1 to 10 letters, digits, '.', '_' and '-', but not '.' or '..', and is 'a\\u000ab'");
		assertThat(new NameRule("-", 5)).hasToString("1 to 5 letters, digits and '-'");
	}

	@Test
	void ruleWithoutDotsDoesNotNameThem() {
		assertThat(new NameRule("_-", 5)).hasToString("1 to 5 letters, digits, '_' and '-'");
	}

	@Test
	void idHasAtMost64Characters() {
		assertThat(NameRule.ID.matches("x".repeat(64))).isTrue();
		assertThat(NameRule.ID.matches("x".repeat(65))).isFalse();
	}

}
