package io.locket.redis.script;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LuaConstants}.
 */
class LuaConstantsTests {

	@ParameterizedTest
	@ValueSource(strings = { "7", "-1", "9e15", "'a'", "'it\\'s'", "''", "KEYS[1]", "ARGV[12]" })
	void literalStandsInPlaceOfItsName(String literal) {
		assertThat(inline("local A_1 = " + literal, "return f(A_1)")).isEqualTo("return f(" + literal + ")\n");
	}

	@Test
	void joinedTextsAreOneText() {
		assertThat(inline("local HEAD = '>B'", "local TAIL = 'I4'", "local ALL = HEAD .. TAIL .. 'c0'", "return ALL"))
			.isEqualTo("return '>BI4c0'\n");
	}

	@Test
	void textThatContainsTheNameIsKept() {
		assertThat(inline("local HEAD = 'x'", "redis.call('HEAD', HEAD, 'A HEAD')"))
			.isEqualTo("redis.call('HEAD', 'x', 'A HEAD')\n");
	}

	@Test
	void fieldsOfThatNameAreKept() {
		assertThat(inline("local UE = 'x'", "return {UE = UE, a = t.UE}")).isEqualTo("return {UE = 'x', a = t.UE}\n");
	}

	@Test
	void longerNamesAreKept() {
		assertThat(inline("local RUN = 'x'", "return RUN_SIZE, RUNS, a_RUN"))
			.isEqualTo("return RUN_SIZE, RUNS, a_RUN\n");
	}

	@Test
	void laterConstantOfTheSameNameCountsFromThereOn() {
		assertThat(inline("local RUN = 'a'", "f(RUN)", "local RUN = 'b'", "f(RUN)", "local RUN = {}", "f(RUN)"))
			.isEqualTo("f('a')\nf('b')\nlocal RUN = {}\nf(RUN)\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "redis.call('TIME')", "PREFIX .. 'schedules'", "x", "1 + 1" })
	void otherValuesKeepTheirVariable(String value) {
		assertThat(inline("local A = " + value, "return A")).isEqualTo("local A = " + value + "\nreturn A\n");
	}

	@Test
	void variablesOfFunctionsAreKept() {
		assertThat(inline("local function f()", "  local SIZE = 7", "  return SIZE", "end"))
			.isEqualTo("local function f()\n  local SIZE = 7\n  return SIZE\nend\n");
	}

	private static String inline(String... lines) {
		return LuaConstants.inline(String.join("\n", lines) + "\n");
	}

}
