package io.locket.key.canonical;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonRawValue;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for values that {@link CanonicalJson} refuses.
 */
class CanonicalJsonRefusalTests {

	private static final String SECRET = "4242-4242";

	private final CanonicalJson json = new CanonicalJson();

	static Stream<Named<?>> refused() {
		return Stream
			.of(new ByteArrayInputStream(new byte[1]), new StringReader("a"), List.of(1).iterator(),
					List.of(1).spliterator(), Stream.of(1), IntStream.of(1), Collections.enumeration(List.of(1)),
					CompletableFuture.completedFuture(1), new SubmissionPublisher<Integer>(), Mono.just(1),
					Flux.just(1), new Object(), new Thread(), new Random(1), new BitSet(), Clock.systemUTC(),
					new IllegalStateException(SECRET), (Supplier<Integer>) () -> 1, new NoProperties(),
					new NoComponents(), Double.NaN, Float.POSITIVE_INFINITY, new double[] { Double.NaN }, new Raw("{}"),
					new Fraction(), new Failing(), Map.of(new Object(), 1), Map.of(List.of(1), 1),
					Map.of(Double.NaN, 1), Collections.singletonMap(null, 1), cyclicList(), cyclicMap(), new Cyclic(),
					new Endless(), cyclicReference(), nested(CanonicalGenerator.MAX_DEPTH + 1))
			.map((value) -> Named.of(value.getClass().getTypeName(), value));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void valueIsRefused(Object value) {
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(value))
			.withMessageNotContaining(SECRET);
		assertThatExceptionOfType(CanonicalJsonException.class)
			.isThrownBy(() -> this.json.write(List.of(new Holder(Optional.of(value)))))
			.withMessageNotContaining(SECRET);
	}

	@Test
	void nestingUpToTheBoundIsWritten() {
		assertThat(this.json.write(nested(CanonicalGenerator.MAX_DEPTH))).startsWith("[[[[");
	}

	@Test
	void valueThatGrowsBeyondTheBoundIsRefused() {
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(explosion()))
			.withMessageContaining("characters");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[[],[],[]]", "{\"a\":{},\"b\":[]}", "[1,\"a\",[2]]" })
	void everyCharacterCountsForTheBound(String json) {
		JsonMapper mapper = new JsonMapper();
		CanonicalGenerator generator = new CanonicalGenerator(mapper, json.length());
		mapper.writeValue(generator, mapper.readValue(json, Object.class));
		assertThat(generator.result()).isEqualTo(json);
		assertThatExceptionOfType(DatabindException.class)
			.isThrownBy(() -> mapper.writeValue(new CanonicalGenerator(mapper, json.length() - 1),
					mapper.readValue(json, Object.class)))
			.withMessageContaining("is longer than " + (json.length() - 1) + " characters");
	}

	@Test
	void namesBeyondTheBoundAreRefused() {
		Map<String, Object> names = Map.of("x".repeat(CanonicalGenerator.MAX_LENGTH), Map.of());
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(names))
			.withMessageContaining("characters");
	}

	@Test
	void mapKeysWithTheSameTextAreRefused() {
		Map<Object, Object> map = new LinkedHashMap<>();
		map.put(1, "a");
		map.put("1", "b");
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(map))
			.withMessageContaining("two keys of a map");
		assertThatExceptionOfType(CanonicalJsonException.class)
			.isThrownBy(() -> this.json.write(Map.of(new BigDecimal("1.0"), "a", new BigDecimal("1.00"), "a")));
	}

	@Test
	void refusalNamesTheTypeThatCausesIt() {
		assertThatExceptionOfType(CanonicalJsonException.class)
			.isThrownBy(() -> this.json.write(Map.of(SECRET, new Holder(new StringReader(SECRET)))))
			.withMessageContaining("java.io.StringReader")
			.withMessageNotContaining(SECRET);
		assertThatExceptionOfType(CanonicalJsonException.class)
			.isThrownBy(() -> this.json.write(List.of(new NoProperties())))
			.withMessageContaining(NoProperties.class.getTypeName());
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(new Failing()))
			.withMessageContaining(IllegalStateException.class.getName());
	}

	private static Object cyclicList() {
		List<Object> list = new ArrayList<>();
		list.add(list);
		return list;
	}

	private static Object cyclicMap() {
		Map<Object, Object> map = new HashMap<>();
		map.put("map", List.of(new Holder(map)));
		return map;
	}

	private static Object cyclicReference() {
		AtomicReference<Object> reference = new AtomicReference<>();
		reference.set(Optional.of(reference));
		return reference;
	}

	private static Object nested(int depth) {
		Object value = List.of();
		for (int i = 1; i < depth; i++) {
			value = List.of(value);
		}
		return value;
	}

	private static Object explosion() {
		Object value = "x".repeat(1000);
		for (int i = 0; i < 40; i++) {
			value = List.of(value, value);
		}
		return value;
	}

	record NoComponents() {
	}

	record Holder(Object value) {
	}

	record Raw(@JsonRawValue String value) {
	}

	static class NoProperties {

		private final String hidden = SECRET;

		String hidden() {
			return this.hidden;
		}

	}

	public static class Cyclic {

		public Cyclic getSelf() {
			return this;
		}

	}

	public static class Endless {

		public Endless getNext() {
			return new Endless();
		}

	}

	public static class Failing {

		public String getValue() {
			throw new IllegalStateException(SECRET);
		}

	}

	static class Fraction extends Number {

		@Override
		public int intValue() {
			return 0;
		}

		@Override
		public long longValue() {
			return 0;
		}

		@Override
		public float floatValue() {
			return 0;
		}

		@Override
		public double doubleValue() {
			return 0;
		}

		@Override
		public String toString() {
			return "1/2";
		}

	}

}
