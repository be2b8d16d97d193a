package io.locket.key;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobKey;
import io.locket.JobKeyException;
import io.locket.text.NameRule;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link JobKeys}.
 */
class JobKeysTests {

	private static final String SECRET = "4242-4242";

	private static final JobKeyGenerator ARGUMENTS = new ArgumentsKeyGenerator();

	private final JobKeys keys = new JobKeys();

	@Test
	void digestIsTheFirstHalfOfTheSha256OfTheCanonicalText() throws Exception {
		List<Object> value = List.of(42, YearMonth.of(2026, 5));
		String text = this.keys.canonicalText("billing.bill", value);
		assertThat(text).isEqualTo("[\"billing.bill\",[42,\"2026-05\"]]");
		byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		assertThat(this.keys.keyOf("billing.bill", value, false).digest())
			.isEqualTo(Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(sha256, 16)))
			.isEqualTo("jcSQj3sQX5xiwj6neYc9aQ");
	}

	@Test
	void nameOfAJobIsEscapedAsAnyString() {
		assertThat(this.keys.canonicalText("a\"b\\c", 1)).isEqualTo("[\"a\\\"b\\\\c\",1]");
		assertThat(this.keys.keyOf("a\ud800", 1, false).digest())
			.isNotEqualTo(this.keys.keyOf("a\ud801", 1, false).digest());
	}

	@Test
	void digestHas22CharactersOfTheUrlSafeAlphabet() {
		assertThat(this.keys.keyOf("billing.bill", List.of(148), false).digest()).isEqualTo("-E3MrRD23owiAitO_lCqRg");
		assertThat(
				IntStream.range(0, 10_000).mapToObj((i) -> this.keys.keyOf("billing.bill", List.of(i), false).digest()))
			.doesNotHaveDuplicates()
			.allMatch((digest) -> digest.matches("[A-Za-z0-9_-]{22}") && NameRule.DIGEST.matches(digest));
	}

	@Test
	void nameAndValueCannotRunTogether() {
		assertThat(
				Stream.of(this.keys.keyOf("a", List.of("b"), false), this.keys.keyOf("a\",[\"b\"]]", List.of(), false),
						this.keys.keyOf("a", "b", false), this.keys.keyOf("a", List.of("b", "b"), false),
						this.keys.keyOf("a", List.of("b\",\"b"), false), this.keys.keyOf("ab", List.of(), false),
						this.keys.keyOf("a", List.of(List.of("b")), false), this.keys.keyOf("a", Map.of("b", 1), false),
						this.keys.keyOf("a", null, false), this.keys.keyOf("a", "null", false)))
			.doesNotHaveDuplicates();
	}

	@Test
	void unpairedSurrogatesHaveDigestsOfTheirOwn() {
		assertThat(this.keys.keyOf("a", "\ud800", false)).isNotEqualTo(this.keys.keyOf("a", "\ud801", false))
			.isNotEqualTo(this.keys.keyOf("a", "?", false));
	}

	@Test
	void textIsReadable() {
		assertThat(this.keys.keyOf("job", List.of(42, "2026-05"), false)).hasToString("job[42,\"2026-05\"]");
		assertThat(this.keys.keyOf("job", List.of(), false)).hasToString("job[]");
		assertThat(this.keys.keyOf("job", 42, false)).hasToString("job(42)");
		assertThat(this.keys.keyOf("job", "x", false)).hasToString("job(\"x\")");
		assertThat(this.keys.keyOf("job", Map.of("a", 1), false)).hasToString("job({\"a\":1})");
		assertThat(this.keys.keyOf("job", List.of("\n\u0085\u202e"), false)).hasToString("job[\"\\n\\u0085\\u202e\"]");
	}

	@Test
	void longTextIsCut() {
		JobKey key = this.keys.keyOf("job", List.of("x".repeat(1_000_000)), false);
		assertThat(key.text()).isEqualTo("[\"" + "x".repeat(198) + "… (1000004 characters)");
		JobKey emoji = this.keys.keyOf("job", List.of("x" + "\ud83d\ude00".repeat(200)), false);
		assertThat(emoji.text()).startsWith("[\"x\ud83d\ude00").endsWith("\ud83d\ude00… (405 characters)");
	}

	@Test
	void longValuesThatDifferAtTheirEndHaveKeysOfTheirOwn() {
		String text = "x".repeat(1_000_000);
		assertThat(this.keys.keyOf("job", text + "a", false)).isNotEqualTo(this.keys.keyOf("job", text + "b", false));
	}

	@Test
	void maskedTextShowsTheDigestOnly() {
		JobKey masked = this.keys.keyOf("job", List.of(SECRET), true);
		assertThat(masked).isEqualTo(this.keys.keyOf("job", List.of(SECRET), false));
		assertThat(masked.text()).isEqualTo("[***]#" + masked.digest().substring(0, 12));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\n", "a\nb", "a\0" })
	void jobWithABlankOrForgedNameIsRefused(String job) throws Exception {
		JobCall call = call("one", "x");
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> this.keys.keyOf(job, 1, false))
			.withMessageContaining("must not be blank")
			.withMessageNotContaining("\n");
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(new JobCall(job, "", call.method(), call.arguments()), ARGUMENTS, true));
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> this.keys.canonicalText(job, 1));
	}

	@Test
	void everyArgumentCountsByDefault() throws Exception {
		assertThat(this.keys.keyOf(call("two", 42L, "x"), ARGUMENTS, false)).hasToString("job[42,\"x\"]")
			.isEqualTo(this.keys.keyOf("job", List.of(new BigDecimal("42.0"), "x"), false));
	}

	@Test
	void defaultKeyMayBeEmptyOrHoldNull() throws Exception {
		assertThat(this.keys.keyOf(call("none"), ARGUMENTS, false)).hasToString("job[]");
		assertThat(this.keys.keyOf(call("one", (Object) null), ARGUMENTS, false)).hasToString("job[null]");
		assertThat(this.keys.keyOf(call("one", ""), ARGUMENTS, false)).hasToString("job[\"\"]");
	}

	static Stream<Named<?>> empty() {
		return Stream.of(Named.of("null", null), Named.of("empty string", ""), Named.of("blank string", " \t"),
				Named.of("blank builder", new StringBuilder(" ")), Named.of("list", List.of()),
				Named.of("set", Set.of()), Named.of("map", Map.of()), Named.of("array", new Object[0]),
				Named.of("ints", new int[0]), Named.of("bytes", new byte[0]), Named.of("optional", Optional.empty()),
				Named.of("optional blank", Optional.of(" ")));
	}

	@ParameterizedTest
	@MethodSource("empty")
	void emptyKeyOfAGeneratorIsRefused(Object value) throws Exception {
		JobCall call = call("one", value);
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> this.keys.keyOf(call, (any) -> value, false))
			.withMessageContaining("'job'")
			.withMessageContaining("null or empty")
			.withMessageContaining("Return at least one value");
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(call, expression(call, "#value"), false))
			.withMessageContaining("'job'")
			.withMessageContaining("'#value'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{#a, #b}", "{{#a}, {#b}}", "{a: #a}", "{#a}", "{{}, #a}", "new Object[]{#a}" })
	void expressionWithNothingButNullIsRefused(String expression) throws Exception {
		JobCall call = call("two", null, null);
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(call, expression(call, expression), false))
			.withMessageContaining("null or empty");
	}

	static Stream<Named<?>> nothingButNull() {
		return Stream.of(Named.of("list", Collections.singletonList(null)), Named.of("array", new Object[2]),
				Named.of("nested list", List.of(List.of(), Collections.singletonList(null))),
				Named.of("map", Collections.singletonMap("a", null)),
				Named.of("map of an optional", Map.of("a", Optional.empty())));
	}

	@ParameterizedTest
	@MethodSource("nothingButNull")
	void keyOfAGeneratorWithNothingButNullIsRefused(Object value) throws Exception {
		JobCall call = call("none");
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> this.keys.keyOf(call, (any) -> value, false))
			.withMessageContaining("null or empty");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{#a, #b}", "{a: #a}", "{a: #a, b: #b}" })
	void expressionIsRefusedWhenItHoldsNothingButEmptyOptionals(String expression) throws Exception {
		JobCall call = call("two", Optional.empty(), OptionalInt.empty());
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(call, expression(call, expression), false))
			.withMessageContaining("null or empty");
		JobCall other = call("two", Optional.empty(), OptionalInt.of(0));
		assertThat(this.keys.keyOf(other, expression(other, "{a: #a, b: #b}"), false))
			.hasToString("job({\"a\":null,\"b\":0})");
	}

	@Test
	void expressionMayHoldNullBesideAValue() throws Exception {
		JobCall call = call("two", null, "null");
		assertThat(this.keys.keyOf(call, expression(call, "{#a, #b}"), false)).hasToString("job[null,\"null\"]");
		assertThat(this.keys.keyOf(call, expression(call, "{#b}"), false)).hasToString("job[\"null\"]");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void unwritableArgumentIsNamed(boolean mask) throws Exception {
		JobCall call = call("two", SECRET, new StringReader(SECRET));
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> this.keys.keyOf(call, ARGUMENTS, mask))
			.withMessageContaining("'job'")
			.withMessageContaining("Parameter 'b' (java.io.StringReader)")
			.withMessageContaining("@UniqueJob(key = ...)")
			.withMessageContaining("JobKeyGenerator")
			.withMessageNotContaining(SECRET);
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(call, expression(call, "{#a, #b}"), mask))
			.withMessageContaining("Parameter 'b' (java.io.StringReader)");
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(call, expression(call, "#b"), mask))
			.withMessageContaining("Parameter 'b' (java.io.StringReader)");
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(call, (any) -> Stream.of(1), mask))
			.withMessageContaining("The key (java.util.stream.");
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf("job", new StringReader(SECRET), mask))
			.withMessageContaining("'job'")
			.withMessageContaining("java.io.StringReader");
	}

	@Test
	void unwritableArgumentIsNumberedWhereNamesAreNotKnown() throws Exception {
		Method method = String.class.getMethod("concat", String.class);
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> this.keys.keyOf(JobCall.of("job", method, Stream.of(1)), ARGUMENTS, false))
			.withMessageContaining("Parameter #0 (java.util.stream.");
	}

	@Test
	void argumentsThatAreTooLongOnlyTogetherAreRefused() throws Exception {
		JobCall call = call("two", "x".repeat(10_000_000), "y".repeat(10_000_000));
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> this.keys.keyOf(call, ARGUMENTS, false))
			.withMessageContaining("'job'")
			.withMessageContaining("longer than");
	}

	@Test
	void maskKeepsArgumentsOutOfEveryExceptionAndItsCauses() throws Exception {
		JobCall failing = call("two", new Failing(), SECRET);
		JobCall map = call("two", Map.of(SECRET, new Failing()), SECRET);
		JobCall text = call("two", "x", SECRET);
		JobKeyGenerator throwing = (call) -> {
			throw new IllegalStateException(SECRET);
		};
		JobKeyGenerator refusing = (call) -> {
			throw new JobKeyException(SECRET, new IllegalStateException(SECRET));
		};
		List<JobKeyException> failures = Arrays.asList(failure(failing, ARGUMENTS, true), failure(map, ARGUMENTS, true),
				failure(text, throwing, true), failure(text, refusing, true),
				failure(text, expression(text, "T(Long).parseLong(#b)"), true),
				failure(failing, expression(failing, "#a.value"), true),
				catchThrowableOfType(JobKeyException.class, () -> this.keys.keyOf("job", map.arguments(), true)));
		assertThat(failures).allSatisfy((failure) -> {
			assertThat(failure).hasMessageContaining("'job'").hasNoCause();
			assertThat(failure.getMessage()).doesNotContain(SECRET);
			assertThat(failure.getSuppressed()).isEmpty();
		});
	}

	@Test
	void causeIsIncludedWithoutAMask() throws Exception {
		JobCall call = call("two", new Failing(), SECRET);
		assertThat(failure(call, ARGUMENTS, false)).hasRootCauseMessage(SECRET);
		assertThat(failure(call, expression(call, "T(Long).parseLong(#b)"), false))
			.hasRootCauseInstanceOf(NumberFormatException.class);
		UncheckedIOException cause = new UncheckedIOException(new IOException(SECRET));
		assertThat(failure(call, (any) -> {
			throw cause;
		}, false)).hasCause(cause).hasMessageContaining("'job'").hasMessageContaining("key generator");
		JobKeyException own = new JobKeyException("own", null);
		assertThat(failure(call, (any) -> {
			throw own;
		}, false)).isSameAs(own);
	}

	@Test
	void keysAreMadeFromManyThreads() {
		String expected = this.keys.canonicalText("job", Map.of("a", List.of(1, 2)));
		assertThat(IntStream.range(0, 10_000)
			.parallel()
			.mapToObj((i) -> this.keys.canonicalText("job", Map.of("a", List.of(1L, 2.0))))
			.distinct()).containsExactly(expected);
	}

	private JobKeyException failure(JobCall call, JobKeyGenerator generator, boolean mask) {
		return catchThrowableOfType(JobKeyException.class, () -> this.keys.keyOf(call, generator, mask));
	}

	private static JobKeyGenerator expression(JobCall call, String expression) {
		return new ExpressionKeyGenerator("job", call.method(), expression);
	}

	private static JobCall call(String method, Object... arguments) throws Exception {
		Class<?>[] types = new Class<?>[(arguments != null) ? arguments.length : 1];
		Arrays.fill(types, Object.class);
		return JobCall.of("job", Jobs.class.getMethod(method, types),
				(arguments != null) ? arguments : new Object[] { null });
	}

	public interface Jobs {

		void none();

		void one(Object value);

		void two(Object a, Object b);

	}

	public static class Failing {

		public String getValue() {
			throw new IllegalStateException(SECRET);
		}

		@Override
		public String toString() {
			return SECRET;
		}

	}

}
