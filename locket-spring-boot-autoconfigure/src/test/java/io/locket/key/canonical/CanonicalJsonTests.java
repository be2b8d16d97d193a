package io.locket.key.canonical;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the output of {@link CanonicalJson}.
 */
class CanonicalJsonTests {

	private final CanonicalJson json = new CanonicalJson();

	static Stream<Arguments> values() {
		Date date = Date.from(Instant.parse("2026-05-01T08:00:00.250Z"));
		Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"));
		calendar.setTime(date);
		return Stream.of(Arguments.of(null, "null"), Arguments.of(true, "true"), Arguments.of('x', "\"x\""),
				Arguments.of("text", "\"text\""), Arguments.of(new StringBuilder("text"), "\"text\""),
				Arguments.of("", "\"\""), Arguments.of(TimeUnit.SECONDS, "\"SECONDS\""),
				Arguments.of(DayOfWeek.MONDAY, "\"MONDAY\""), Arguments.of(Renamed.ONE, "\"ONE\""),
				Arguments.of(Coded.ONE, "\"ONE\""), Arguments.of(LocalDate.of(2026, 5, 1), "\"2026-05-01\""),
				Arguments.of(YearMonth.of(2026, 5), "\"2026-05\""), Arguments.of(Year.of(2026), "\"2026\""),
				Arguments.of(MonthDay.of(5, 1), "\"--05-01\""),
				Arguments.of(LocalDateTime.of(2026, 5, 1, 10, 0), "\"2026-05-01T10:00\""),
				Arguments.of(LocalTime.of(10, 0, 0, 1), "\"10:00:00.000000001\""),
				Arguments.of(Instant.parse("2026-05-01T08:00:00Z"), "\"2026-05-01T08:00:00Z\""),
				Arguments.of(OffsetDateTime.of(2026, 5, 1, 10, 0, 0, 0, ZoneOffset.ofHours(2)),
						"\"2026-05-01T10:00+02:00\""),
				Arguments.of(ZonedDateTime.of(2026, 5, 1, 10, 0, 0, 0, ZoneId.of("Europe/Berlin")),
						"\"2026-05-01T10:00+02:00[Europe/Berlin]\""),
				Arguments.of(ZoneId.of("Europe/Berlin"), "\"Europe/Berlin\""),
				Arguments.of(Duration.ofMinutes(60), "\"PT1H\""), Arguments.of(Period.ofMonths(1), "\"P1M\""),
				Arguments.of(date, "\"2026-05-01T08:00:00.250Z\""),
				Arguments.of(calendar, "\"2026-05-01T10:00:00.250+02:00[Europe/Berlin]\""),
				Arguments.of(java.sql.Timestamp.from(Instant.parse("2026-05-01T08:00:00.000000001Z")),
						"\"2026-05-01T08:00:00.000000001Z\""),
				Arguments.of(java.sql.Date.valueOf("2026-05-01"), "\"2026-05-01\""),
				Arguments.of(new UUID(1, 2), "\"00000000-0000-0001-0000-000000000002\""),
				Arguments.of(URI.create("a:b"), "\"a:b\""), Arguments.of(Locale.GERMANY, "\"de-DE\""),
				Arguments.of(Currency.getInstance("EUR"), "\"EUR\""),
				Arguments.of(String.class, "\"java.lang.String\""), Arguments.of(Optional.of(1), "1"),
				Arguments.of(Optional.empty(), "null"), Arguments.of(OptionalInt.of(1), "1"),
				Arguments.of(new AtomicReference<>("a"), "\"a\""), Arguments.of(new AtomicInteger(1), "1"),
				Arguments.of(new byte[] { 1, 2, -1 }, "\"AQL/\""), Arguments.of(new byte[0], "\"\""),
				Arguments.of(new char[] { 'a', 'b' }, "\"ab\""), Arguments.of(new int[] { 2, 1 }, "[2,1]"),
				Arguments.of(new long[] { 2, 1 }, "[2,1]"), Arguments.of(new double[] { 2, 1.5 }, "[2,1.5]"),
				Arguments.of(new float[] { 2, 1.5f }, "[2,1.5]"), Arguments.of(new short[] { 2, 1 }, "[2,1]"),
				Arguments.of(new boolean[] { true }, "[true]"),
				Arguments.of(new String[] { "b", "a" }, "[\"b\",\"a\"]"),
				Arguments.of(new Object[] { 1, null, "a" }, "[1,null,\"a\"]"), Arguments.of(List.of(), "[]"),
				Arguments.of(List.of(List.of(1), 2), "[[1],2]"), Arguments.of(Map.of(), "{}"),
				Arguments.of(Map.entry("a", 1), "{\"a\":1}"),
				Arguments.of(new Command(1, "b", List.of(true)), "{\"flags\":[true],\"id\":1,\"name\":\"b\"}"),
				Arguments.of(new Bean("x"), "{\"value\":\"x\"}"));
	}

	@ParameterizedTest
	@MethodSource("values")
	void valueIsWritten(Object value, String expected) {
		assertThat(this.json.write(value)).isEqualTo(expected);
		assertThat(this.json.write(Arrays.asList(value, new Holder(value))))
			.isEqualTo("[%s,{\"value\":%s}]".formatted(expected, expected));
	}

	/**
	 * The text of these numbers differs since JDK 19.
	 */
	@Test
	void formatOfAFloatingNumberHasNoEffect() {
		assertThat(this.json.write(new Texts(2e23, 1e23, 1e10f))).isEqualTo(
				"{\"number\":100000000000000000000000,\"primitive\":200000000000000000000000,\"real\":10000000000}");
		assertThatExceptionOfType(CanonicalJsonException.class)
			.isThrownBy(() -> this.json.write(new Texts(Double.NaN, 0., 0f)));
	}

	@Test
	void floatingNumberHasTheSameDigitsAsAKeyOfAMap() {
		// Before Java 19, toString has other digits.
		double number = Math.scalb(1.0, -44);
		assertThat(this.json.write(Map.of(number, 1))).isEqualTo("{\"" + this.json.write(number) + "\":1}");
		assertThat(this.json.write(Map.of(Float.MIN_NORMAL, 1)))
			.isEqualTo("{\"" + this.json.write(Float.MIN_NORMAL) + "\":1}");
	}

	@Test
	void numbersAreWrittenByTheirValue() {
		for (Object number : List.of((byte) 42, (short) 42, 42, 42L, 42.0f, 42.0, new BigDecimal("42"),
				new BigDecimal("42.00"), new BigDecimal("4.2E+1"), BigInteger.valueOf(42), new AtomicInteger(42),
				new AtomicLong(42), adder(42))) {
			assertThat(this.json.write(number)).as(number.getClass().getName()).isEqualTo("42");
		}
	}

	@Test
	void addersOfDoublesAreWrittenLikeDoubles() {
		DoubleAdder adder = new DoubleAdder();
		adder.add(8.41E21);
		DoubleAccumulator accumulator = new DoubleAccumulator(Math::max, 2.0E23);
		assertThat(this.json.write(List.of(adder, accumulator))).isEqualTo(this.json.write(List.of(8.41E21, 2.0E23)));
		assertThat(this.json.write(Map.of(adder, 1, accumulator, 2)))
			.isEqualTo(this.json.write(Map.of(8.41E21, 1, 2.0E23, 2)));
	}

	@Test
	void buffersAreWrittenByWhatRemains() {
		ByteBuffer buffer = ByteBuffer.wrap(new byte[] { 0, 1, 2, -1, 0 }).position(1).limit(4);
		String expected = this.json.write(new byte[] { 1, 2, -1 });
		assertThat(this.json.write(buffer)).isEqualTo(expected);
		assertThat(this.json.write(buffer.slice())).isEqualTo(expected);
		assertThat(this.json.write(buffer.asReadOnlyBuffer())).isEqualTo(expected);
		assertThat(this.json.write(ByteBuffer.allocateDirect(3).put(buffer.duplicate()).flip())).isEqualTo(expected);
		assertThat(buffer.remaining()).isEqualTo(3);
	}

	private static LongAdder adder(long value) {
		LongAdder adder = new LongAdder();
		adder.add(value);
		return adder;
	}

	@Test
	void stringsAndNumbersDiffer() {
		assertThat(this.json.write("1")).isNotEqualTo(this.json.write(1));
		assertThat(this.json.write("null")).isNotEqualTo(this.json.write(null));
		assertThat(this.json.write("NaN")).isEqualTo("\"NaN\"");
	}

	@Test
	void mapsAreSortedAtEveryDepth() {
		Map<String, Object> inner = new LinkedHashMap<>();
		inner.put("b", 1);
		inner.put("a", new Holder(new LinkedHashMap<>(Map.of("d", 1, "c", 2))));
		Map<String, Object> outer = new LinkedHashMap<>();
		outer.put("z", List.of(inner));
		outer.put("y", new Holder(inner));
		String expected = "{\"a\":{\"value\":{\"c\":2,\"d\":1}},\"b\":1}";
		assertThat(this.json.write(outer)).isEqualTo("{\"y\":{\"value\":" + expected + "},\"z\":[" + expected + "]}");
	}

	@Test
	void mapsAgreeWhateverTheirKind() {
		Map<Object, Object> numbers = new HashMap<>(Map.of(2, "a", 10, "b"));
		String expected = "{\"10\":\"b\",\"2\":\"a\"}";
		assertThat(this.json.write(numbers)).isEqualTo(expected);
		assertThat(this.json.write(new TreeMap<>(numbers))).isEqualTo(expected);
		assertThat(this.json.write(new ConcurrentHashMap<>(Map.of(2L, "a", 10L, "b")))).isEqualTo(expected);
		assertThat(this.json.write(Map.of(2.0, "a", new BigDecimal("1E1"), "b"))).isEqualTo(expected);
		Properties properties = new Properties();
		properties.setProperty("10", "b");
		properties.setProperty("2", "a");
		assertThat(this.json.write(properties)).isEqualTo(expected);
	}

	@Test
	void mapKeysAreWrittenLikeValues() {
		assertThat(this.json.write(new EnumMap<>(Map.of(Renamed.ONE, 1)))).isEqualTo("{\"ONE\":1}");
		assertThat(this.json.write(Map.of(Renamed.ONE, 1))).isEqualTo("{\"ONE\":1}");
		assertThat(this.json.write(Map.of(YearMonth.of(2026, 5), 1))).isEqualTo("{\"2026-05\":1}");
		assertThat(this.json.write(Map.of(new UUID(0, 1), true, false, 1)))
			.isEqualTo("{\"00000000-0000-0000-0000-000000000001\":true,\"false\":1}");
		assertThat(this.json.write(new Keyed(Map.of(LocalDate.of(2026, 5, 1), 1))))
			.isEqualTo("{\"map\":{\"2026-05-01\":1}}");
	}

	@Test
	void setsAreSortedWhateverTheirKind() {
		Set<Object> set = new LinkedHashSet<>(List.of(10, 9, "b", "a"));
		String expected = "[\"a\",\"b\",10,9]";
		assertThat(this.json.write(set)).isEqualTo(expected);
		assertThat(this.json.write(new HashSet<>(set))).isEqualTo(expected);
		assertThat(this.json.write(Set.copyOf(set))).isEqualTo(expected);
		assertThat(this.json.write(Collections.synchronizedSet(set))).isEqualTo(expected);
		assertThat(this.json.write(new Holder(set))).isEqualTo("{\"value\":" + expected + "}");
		assertThat(this.json.write(new TreeSet<>(Set.of(10, 9)))).isEqualTo("[10,9]");
		assertThat(this.json.write(new TreeSet<>(Set.of("b", "a")).descendingSet())).isEqualTo("[\"a\",\"b\"]");
		assertThat(this.json.write(EnumSet.of(TimeUnit.HOURS, TimeUnit.DAYS))).isEqualTo("[\"DAYS\",\"HOURS\"]");
		assertThat(this.json.write(new LinkedHashMap<>(Map.of("b", 1, "a", 2)).keySet())).isEqualTo("[\"a\",\"b\"]");
		assertThat(this.json.write(new Sets(new LinkedHashSet<>(List.of("b", "a")),
				new LinkedHashSet<>(List.of(new Holder(2), new Holder(1))))))
			.isEqualTo("{\"holders\":[{\"value\":1},{\"value\":2}],\"names\":[\"a\",\"b\"]}");
	}

	@Test
	void setsKeepElementsThatAreWrittenAlike() {
		assertThat(this.json.write(new HashSet<>(List.of(1, 1L)))).isEqualTo("[1,1]");
	}

	@Test
	void listsKeepTheirOrder() {
		assertThat(this.json.write(new ArrayList<>(List.of("b", "a")))).isEqualTo("[\"b\",\"a\"]");
	}

	@Test
	void annotationsOfTheClassCountAndItsOrderDoesNot() {
		assertThat(this.json.write(new Annotated())).isEqualTo("{\"a\":1,\"extra\":3,\"long-name\":2,\"z\":4}");
	}

	@Test
	void formatsThatLoseInformationAreIgnored() {
		assertThat(this.json.write(new Formatted(LocalDateTime.of(2026, 5, 1, 10, 0, 1))))
			.isEqualTo("{\"time\":\"2026-05-01T10:00:01\"}");
	}

	@Test
	void typeIdsAreWritten() {
		assertThat(this.json.write(List.of(new Circle(1), new Square(1))))
			.isEqualTo("[{\"size\":1,\"type\":\"circle\"},{\"size\":1,\"type\":\"square\"}]");
		assertThat(this.json.write(new Circle(1))).isEqualTo("{\"size\":1,\"type\":\"circle\"}");
		assertThat(this.json.write(new Holder(new Circle(1))))
			.isEqualTo("{\"value\":{\"size\":1,\"type\":\"circle\"}}");
		assertThat(this.json.write(new Drawing(new Circle(1), Map.of("a", new Square(2))))).isEqualTo(
				"{\"more\":{\"a\":{\"size\":2,\"type\":\"square\"}}," + "\"shape\":{\"size\":1,\"type\":\"circle\"}}");
	}

	@Test
	void jsonTreesAreWrittenLikeWhatTheyHold() {
		Map<String, Object> map = Map.of("b", List.of(1, 2.50), "a", "x");
		assertThat(this.json.write(JsonMapper.builder().build().valueToTree(map)))
			.isEqualTo("{\"a\":\"x\",\"b\":[1,2.5]}")
			.isEqualTo(this.json.write(map));
	}

	@Test
	void valuesThatTravelThroughJsonKeepTheirText() {
		JsonMapper mapper = JsonMapper.builder().build();
		Command command = new Command(42, "n", List.of(true));
		assertThat(this.json.write(mapper.readValue(mapper.writeValueAsString(command), Map.class)))
			.isEqualTo(this.json.write(command));
		assertThat(this.json.write(mapper.readValue("[42.0,1e2]", List.class))).isEqualTo("[42,100]");
	}

	@Test
	void hugeStringsAreWritten() {
		String text = "\u0000\n{\ud83d\ude00\ud800".repeat(200_000);
		assertThat(this.json.write(text)).hasSize(200_000 * (6 + 2 + 1 + 2 + 6) + 2);
		assertThat(this.json.write(text + "x")).isNotEqualTo(this.json.write(text + "y"));
	}

	enum Renamed {

		@JsonProperty("uno")
		ONE;

		@Override
		public String toString() {
			return "eins";
		}

	}

	enum Coded {

		ONE {
			@Override
			int code() {
				return 1;
			}
		};

		@JsonValue
		abstract int code();

	}

	record Command(long id, String name, List<Boolean> flags) {
	}

	record Holder(Object value) {
	}

	record Keyed(Map<LocalDate, Integer> map) {
	}

	record Sets(Set<String> names, Set<Holder> holders) {
	}

	record Texts(@JsonFormat(shape = JsonFormat.Shape.STRING) double primitive,
			@JsonFormat(shape = JsonFormat.Shape.STRING) Double number,
			@JsonFormat(shape = JsonFormat.Shape.STRING) Float real) {
	}

	record Formatted(@JsonFormat(pattern = "yyyy") LocalDateTime time) {
	}

	public static class Bean {

		private final String value;

		Bean(String value) {
			this.value = value;
		}

		public String getValue() {
			return this.value;
		}

	}

	@JsonPropertyOrder({ "z", "a" })
	public static class Annotated {

		@JsonProperty("long-name")
		public int name = 2;

		public int a = 1;

		@JsonIgnore
		public int ignored = 5;

		@JsonUnwrapped
		public Unwrapped unwrapped = new Unwrapped(4);

		@JsonAnyGetter
		public Map<String, Object> any() {
			return Map.of("extra", 3);
		}

	}

	record Unwrapped(int z) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Circle.class, name = "circle"),
			@JsonSubTypes.Type(value = Square.class, name = "square") })
	interface Shape {

	}

	record Drawing(Shape shape, Map<String, Shape> more) {
	}

	record Circle(int size) implements Shape {
	}

	record Square(int size) implements Shape {
	}

}
