package io.locket.queue.argument;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.locket.queue.TestJob;
import io.locket.queue.UnreadableArgumentsException;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ArgumentCodec}.
 */
class ArgumentCodecTests {

	private final ArgumentCodec codec = new ArgumentCodec();

	@Test
	void scalarsComeBack() {
		assertRoundTrip("scalars", 1, Long.MAX_VALUE, true, 'c', 0.1, 1.5f, "text \u2028 \"quoted\"\n",
				new BigDecimal("12345678901234567890.1234567890"), new BigInteger("123456789012345678901234567890"),
				DayOfWeek.FRIDAY, UUID.fromString("00000000-0000-0001-0000-000000000002"));
		assertThat(write("scalars", 1, 2L, true, 'c', 0.1, 1.5f, "t", BigDecimal.ONE, BigInteger.TEN, DayOfWeek.FRIDAY,
				new UUID(1, 2)))
			.isEqualTo("[1,2,true,\"c\",0.1,1.5,\"t\",1,10,\"FRIDAY\",\"00000000-0000-0001-0000-000000000002\"]");
	}

	@Test
	void timesComeBackWithTheirZones() {
		Object[] args = { LocalDate.of(2026, 5, 1), YearMonth.of(2026, 5), Instant.parse("2026-05-01T10:00:00.123456Z"),
				Duration.ofMillis(1500), OffsetDateTime.parse("2026-05-01T10:00+02:00"),
				ZonedDateTime.parse("2026-05-01T10:00+02:00[Europe/Berlin]") };
		assertRoundTrip("times", args);
		assertThat(write("times", args))
			.isEqualTo("[\"2026-05-01\",\"2026-05\",\"2026-05-01T10:00:00.123456Z\",\"PT1.5S\","
					+ "\"2026-05-01T10:00:00+02:00\",\"2026-05-01T10:00:00+02:00[Europe/Berlin]\"]");
	}

	@Test
	void timesComeBackThroughMappersThatWriteNumbersAndKnowAZone() {
		ArgumentCodec other = new ArgumentCodec(JsonMapper.builder()
			.enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
			.defaultTimeZone(TimeZone.getTimeZone("Asia/Tokyo"))
			.build());
		Object[] args = { LocalDate.of(2026, 5, 1), YearMonth.of(2026, 5), Instant.parse("2026-05-01T10:00:00.123456Z"),
				Duration.ofMillis(1500), OffsetDateTime.parse("2026-05-01T10:00+02:00"),
				ZonedDateTime.parse("2026-05-01T10:00+02:00[Europe/Berlin]") };
		assertThat(other.read(method("times"), Jobs.class, other.write(method("times"), Jobs.class, args)))
			.containsExactly(args);
	}

	@Test
	void recordsAndGenericsComeBack() {
		Order order = new Order(7, Optional.of("note"), List.of(new Line("a", new BigDecimal("1.10"))),
				Map.of(YearMonth.of(2026, 5), Set.of(1L, 2L)));
		assertRoundTrip("structures", order, List.of(List.of(1L, 2L), List.of()), Map.of("a", List.of(order)),
				Optional.of(YearMonth.of(2026, 5)), Optional.empty(), new Line[] { new Line("b", BigDecimal.TEN) });
	}

	@Test
	void binaryComesBack() {
		byte[] bytes = { 0, 1, -1, 127 };
		Object[] read = this.codec.read(method("binary"), Jobs.class, write("binary", bytes, new int[] { 1, 2 }));
		assertThat((byte[]) read[0]).isEqualTo(bytes);
		assertThat((int[]) read[1]).containsExactly(1, 2);
	}

	@Test
	void nullComesBackWhereThereMayBeOne() {
		assertThat(this.codec.read(method("nullable"), Jobs.class, write("nullable", null, null)))
			.isEqualTo(new Object[] { null, Optional.empty() });
	}

	@Test
	void subtypesThatTheirBaseNamesComeBack() {
		Object[] args = { new Circle(2), List.of(new Circle(1), new Square(3)) };
		assertThat(write("shapes", args)).contains("\"type\":\"circle\"").doesNotContain("io.locket");
		assertRoundTrip("shapes", args);
	}

	@Test
	void textsAreComparedAsJson() {
		assertThat(this.codec.isSame("[1,{\"a\":1,\"b\":2}]", "[ 1, {\"b\":2, \"a\":1} ]")).isTrue();
		assertThat(this.codec.isSame("[1]", "[2]")).isFalse();
		assertThat(this.codec.isSame("[1", "[1]")).isFalse();
		assertThat(this.codec.isSame("[1", "[1")).isTrue();
	}

	@Test
	void noArgumentsAreAnEmptyArray() {
		assertThat(write("none")).isEqualTo("[]");
		assertThat(this.codec.read(method("none"), Jobs.class, " [ ] ")).isEmpty();
	}

	@Test
	void applicationMapperCounts() {
		ArgumentCodec snake = new ArgumentCodec(JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.enable(SerializationFeature.INDENT_OUTPUT)
			.build());
		assertThat(snake.write(method("named"), Jobs.class, new Object[] { new Named("x") }))
			.isEqualTo("[{\"full_name\":\"x\"}]");
	}

	@Test
	void defaultTypingIsSwitchedOff() {
		JsonMapper typing = JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
					DefaultTyping.NON_FINAL)
			.build();
		ArgumentCodec untyped = new ArgumentCodec(typing);
		assertThat(untyped.write(method("anything"), Jobs.class, new Object[] { new Named("x") }))
			.isEqualTo("[{\"fullName\":\"x\"}]");
		assertThat(untyped.read(method("anything"), Jobs.class,
				"[[\"io.locket.queue.argument.ArgumentCodecTests$Named\",{}]]"))
			.containsExactly(List.of("io.locket.queue.argument.ArgumentCodecTests$Named", Map.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "null", "42", "[42", "[42,", "[}", "nonsense", "[] []", "[42,\"secret\"] 1" })
	void textThatIsNoArrayIsUnreadable(String json) {
		assertUnreadable("two", json);
	}

	@Test
	void wrongNumberOfElementsIsUnreadable() {
		assertUnreadable("two", "[42]")
			.withMessageContaining("takes 2 argument(s) (long id, String text), but there are 1");
		assertUnreadable("two", "[]")
			.withMessageContaining("takes 2 argument(s) (long id, String text), but there are 0");
		assertUnreadable("two", "[42,\"secret\",3]")
			.withMessageContaining("takes 2 argument(s) (long id, String text), but there are more");
	}

	@Test
	void nullForAPrimitiveIsUnreadable() {
		assertUnreadable("two", "[null,\"secret\"]").withMessageContaining("Argument 1 (long id) of")
			.withMessageEndingWith("Jobs.two is null");
		ArgumentCodec lenient = new ArgumentCodec(
				JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build());
		assertThatExceptionOfType(UnreadableArgumentsException.class)
			.isThrownBy(() -> lenient.read(List.of(int[].class), "[[1,null]]"));
	}

	@Test
	void valueOfAnotherTypeIsUnreadable() {
		assertUnreadable("two", "[\"secret\",\"x\"]")
			.withMessageEndingWith("Jobs.two cannot be read: the value does not fit the type long");
		assertUnreadable("two", "[1.5,\"secret\"]");
		assertUnreadable("two", "[{\"secret\":1},\"x\"]");
		assertUnreadable("times", "[\"secret\",\"\",\"\",\"\",\"\",\"\"]")
			.withMessageContaining("Argument 1 (LocalDate day)");
	}

	@Test
	void whatCannotBeWrittenIsRefused() {
		assertRefused("anything", new Object()).withMessageEndingWith(
				" cannot be written as JSON, as a java.lang.Object: Jackson cannot write or create the type Object, or the"
						+ " value refers to itself. Use values such as numbers, strings, dates and records of them");
		Supplier<String> lambda = () -> "secret";
		assertRefused("supplier", lambda);
		Node node = new Node();
		node.next = node;
		assertRefused("node", node).withMessageContaining("the value refers to itself");
	}

	/**
	 * UTF-8 cannot represent it, so a worker would read a question mark.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "a\ud83d", "\ude00b", "\ude00\ud83d", "\ud83d\ud83d\ude00" })
	void halfASurrogatePairIsRefusedWithTheNameOfTheArgument(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> write("nullable", text, Optional.empty()))
			.withMessageContaining("Argument 1")
			.withMessageContaining("an unpaired surrogate");
		assertThatIllegalArgumentException().isThrownBy(() -> write("named", new Named(text)))
			.withMessageContaining("Argument 1");
		assertThatIllegalArgumentException().isThrownBy(() -> TestJob.of("a").arguments("[\"" + text + "\"]").build())
			.withMessageContaining("arguments");
		assertThatIllegalArgumentException().isThrownBy(() -> TestJob.of("a").named(text).build())
			.withMessageContaining("name");
		assertRoundTrip("named", new Named("a\ud83d\ude00b"));
	}

	@Test
	void whatWouldNotComeBackIsRefused() {
		assertRefused("future", CompletableFuture.completedFuture("secret"))
			.withMessageContaining("Argument 1 (java.util.concurrent.Future<java.lang.String> future) of");
		assertRefused("iterator", List.of("secret").iterator()).withMessageContaining("cannot be restored");
		assertRefused("unreadable", new Written("secret")).withMessageContaining("cannot be restored")
			.withMessageContaining("Jackson cannot write or create the type ArgumentCodecTests.WriteOnly")
			.withMessageEndingWith("Use types that Jackson can also create, such as records, or pass an id");
	}

	@Test
	void typeVariablesAreRefused() {
		assertRefused("variable", "secret").withMessageContaining("its type variable is not resolved");
		assertRefused("variables", List.of("secret")).withMessageContaining("its type variable is not resolved");
		assertRoundTrip("wildcards", List.of(1, 2));
	}

	@Test
	void wrongNumberOfArgumentsIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> write("two", 1L))
			.withMessageContaining("takes 2 argument(s) (long id, String text), but there are 1");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.codec.convert(method("two"), Jobs.class, new Object[3]));
	}

	@Test
	void argumentsAreConverted() {
		assertThat(convert("two", 42, "x")).containsExactly(42L, "x");
		assertThat(convert("two", "42", 7)).containsExactly(42L, "7");
		assertThat(convert("times", "2026-05-01", "2026-05", "2026-05-01T10:00:00Z", "PT1S", "2026-05-01T10:00+02:00",
				"2026-05-01T10:00+02:00[Europe/Berlin]"))
			.containsExactly(LocalDate.of(2026, 5, 1), YearMonth.of(2026, 5), Instant.parse("2026-05-01T10:00:00Z"),
					Duration.ofSeconds(1), OffsetDateTime.parse("2026-05-01T10:00+02:00"),
					ZonedDateTime.parse("2026-05-01T10:00+02:00[Europe/Berlin]"));
		assertThat(convert("named", Map.of("fullName", "x"))).containsExactly(new Named("x"));
		assertThat(convert("nullable", null, "2026-05")).containsExactly(null, Optional.of(YearMonth.of(2026, 5)));
		assertThat(convert("wildcards", List.of("1", 2))).containsExactly(List.of("1", 2));
		assertThat(convert("totals", Map.of("1", 2L))).containsExactly(Map.of(1L, 2L));
	}

	@Test
	void elementsAreConvertedToSubtypesWhenTheirBaseNamesThem() {
		assertThat(convert("shapes", new Circle(1), List.of(new Circle(1), new Square(2))))
			.containsExactly(new Circle(1), List.of(new Circle(1), new Square(2)));
		assertThat(convert("shapes", null, List.of(Map.of("type", "square", "side", 2)))).containsExactly(null,
				List.of(new Square(2)));
	}

	@Test
	void typeVariablesAreSettledByTheClassOfTheBean() throws Exception {
		Line line = new Line("a", new BigDecimal("1.10"));
		for (Class<?> type : List.of(Lines.class, Deep.class, OfInterface.class)) {
			Method method = type.getMethod("process", Object.class, List.class, Object[].class);
			Object[] args = { line, List.of(line), new Line[] { line } };
			String json = this.codec.write(method, type, args);
			assertThat(this.codec.read(method, type, json)).usingRecursiveComparison().isEqualTo(args);
			assertThat(this.codec.convert(method, type, new Object[] { Map.of("article", "a"), List.of(), null })[0])
				.isEqualTo(new Line("a", null));
			assertThat(ArgumentCodec.openParameters(method, type)).isEmpty();
		}
	}

	@Test
	void typeVariablesThatNoClassSetsAreReported() throws Exception {
		for (Class<?> type : List.of(Batch.class, Mid.class, Raw.class, Bounded.class)) {
			Method method = type.getMethod("process", Object.class, List.class, Object[].class);
			assertThat(ArgumentCodec.openParameters(method, type)).hasSize(3)
				.first()
				.asString()
				.startsWith("Argument 1 (T item) of");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.codec.write(method, type, new Object[] { "a", List.of(), new Object[0] }))
				.withMessageContaining("its type variable is not resolved");
		}
	}

	@Test
	void argumentsOfTheirTypeStayTheSame() {
		Named named = new Named("x");
		assertThat(convert("named", named)[0]).isSameAs(named);
	}

	@Test
	void whatCannotBeConvertedIsRefusedWithoutItsValue() {
		assertThatIllegalArgumentException().isThrownBy(() -> convert("two", 42.5, "x"))
			.withMessageContaining("Argument 1 (long id) of");
		assertThatIllegalArgumentException().isThrownBy(() -> convert("two", null, "x")).withMessageContaining("null");
		assertThatIllegalArgumentException().isThrownBy(() -> convert("two", "secret", "x"))
			.withMessageEndingWith(
					"cannot be converted from a java.lang.String: the value does not fit the type long. Pass a"
							+ " value of its type, or the text that stands for it in JSON")
			.satisfies((ex) -> assertThat(ex).hasNoCause().message().doesNotContain("secret"));
		assertThatIllegalArgumentException().isThrownBy(() -> convert("named", "secret"))
			.withMessageContaining("the value does not fit the type ArgumentCodecTests.Named.")
			.satisfies((ex) -> assertThat(ex).hasNoCause().message().doesNotContain("secret"));
		assertThatIllegalArgumentException().isThrownBy(() -> convert("strict", Map.of("text", "secret")))
			.withMessageContaining(
					"the constructor of ArgumentCodecTests.Strict failed with a java.lang.IllegalStateException.")
			.satisfies((ex) -> assertThat(ex).hasNoCause().message().doesNotContain("secret"));
	}

	private Object[] convert(String method, @Nullable Object... args) {
		return this.codec.convert(method(method), Jobs.class, args);
	}

	private void assertRoundTrip(String method, Object... args) {
		assertThat(this.codec.read(method(method), Jobs.class, write(method, args))).isEqualTo(args);
	}

	private ThrowableAssertAlternative<IllegalArgumentException> assertRefused(String method, Object arg) {
		return assertThatIllegalArgumentException().isThrownBy(() -> write(method, arg))
			.satisfies((ex) -> assertThat(ex).message().doesNotContain("secret"));
	}

	private ThrowableAssertAlternative<UnreadableArgumentsException> assertUnreadable(String method, String json) {
		return assertThatExceptionOfType(UnreadableArgumentsException.class)
			.isThrownBy(() -> this.codec.read(method(method), Jobs.class, json))
			.withNoCause()
			.satisfies((ex) -> assertThat(ex).message().doesNotContain("secret"));
	}

	private String write(String method, @Nullable Object... args) {
		return this.codec.write(method(method), Jobs.class, args);
	}

	private static Method method(String name) {
		return Arrays.stream(Jobs.class.getMethods())
			.filter((method) -> method.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

	record Order(long id, Optional<String> note, List<Line> lines, Map<YearMonth, Set<Long>> byMonth) {

	}

	public static class Batch<T> {

		public void process(T item, List<? extends T> items, T[] array) {
			throw new IllegalStateException("Must not run");
		}

	}

	public static class Lines extends Batch<Line> {

	}

	public static class Mid<X> extends Batch<X> {

	}

	public static class Deep extends Mid<Line> {

	}

	@SuppressWarnings("rawtypes")
	public static class Raw extends Batch {

	}

	public static class Bounded<X extends Line> extends Batch<X> {

	}

	public interface Processing<T> {

		default void process(T item, List<T> items, T[] array) {
			throw new IllegalStateException("Must not run");
		}

	}

	public static class OfInterface implements Processing<Line> {

	}

	record Line(String article, BigDecimal price) {

	}

	record Strict(String text) {

		Strict {
			throw new IllegalStateException(text);
		}

	}

	record Named(String fullName) {

	}

	static class Node {

		public @Nullable Node next;

	}

	interface WriteOnly {

		String getText();

	}

	record Written(String text) implements WriteOnly {

		@Override
		public String getText() {
			return this.text;
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Circle.class, name = "circle"),
			@JsonSubTypes.Type(value = Square.class, name = "square") })
	sealed interface Shape {

	}

	record Circle(int radius) implements Shape {

	}

	record Square(int side) implements Shape {

	}

	interface Jobs<T> {

		void none();

		void scalars(int i, Long l, boolean b, char c, double d, float f, String s, BigDecimal decimal, BigInteger big,
				DayOfWeek day, UUID uuid);

		void times(LocalDate day, YearMonth month, Instant instant, Duration duration, OffsetDateTime offset,
				ZonedDateTime zoned);

		void structures(Order order, List<List<Long>> nested, Map<String, List<Order>> map, Optional<YearMonth> month,
				Optional<YearMonth> empty, Line[] lines);

		void binary(byte[] bytes, int[] numbers);

		void nullable(@Nullable String text, Optional<YearMonth> month);

		void shapes(Shape shape, List<Shape> shapes);

		void named(Named named);

		void anything(Object value);

		void two(long id, String text);

		void supplier(Supplier<String> supplier);

		void node(Node node);

		void future(Future<String> future);

		void iterator(Iterator<String> iterator);

		void unreadable(WriteOnly value);

		void strict(Strict value);

		void variable(T value);

		void variables(Collection<T> values);

		void wildcards(List<?> values);

		void totals(Map<Long, Long> values);

	}

}
