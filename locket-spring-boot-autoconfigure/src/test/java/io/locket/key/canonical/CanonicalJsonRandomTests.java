package io.locket.key.canonical;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

import io.locket.key.JobKeys;
import io.locket.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random tests for {@link CanonicalJson} and {@link JobKeys}. A random model of a value
 * is converted twice into equivalent Java objects, of random types and in random order.
 * Both must have the same text. Different models must have different texts.
 */
class CanonicalJsonRandomTests {

	private static final String[] PIECES = { "a", "b", "1", "\"", "\\", ",", "[", "]", "{", "}", ":", "null", "\n",
			"\0", "\ud800", "\udc00", "\ud83d\ude00", "\\ud800", "é", "\u2028", " " };

	private static final int VALUES = 3000;

	private final CanonicalJson json = new CanonicalJson();

	private final JobKeys keys = new JobKeys();

	static LongStream seeds() {
		return LongStream.concat(LongStream.rangeClosed(1, 6), Seeds.of(CanonicalJsonRandomTests.class, 1));
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void equalValuesAgreeAndOthersDiffer(long seed) {
		Random random = new Random(seed);
		Map<String, Object> modelsByText = new HashMap<>();
		Map<String, Object> modelsByDigest = new HashMap<>();
		for (int i = 0; i < VALUES; i++) {
			Object model = model(random, 3);
			Object value = guise(random, model);
			String text = this.json.write(value);
			assertThat(this.json.write(guise(random, model))).as("seed %d, value %d: %s", seed, i, model)
				.isEqualTo(text);
			assertThat(modelsByText.putIfAbsent(text, model)).as("seed %d, value %d: %s", seed, i, text)
				.isIn(null, model);
			String digest = this.keys.keyOf("job", value, true).digest();
			assertThat(modelsByDigest.putIfAbsent(digest, model)).as("seed %d, value %d: %s", seed, i, text)
				.isIn(null, model);
		}
	}

	/**
	 * Returns a model: {@code null}, booleans, strings, decimals without trailing zeros,
	 * lists, maps, and sets, which lie under a name of their own.
	 */
	private static Object model(Random random, int depth) {
		return switch (random.nextInt((depth > 0) ? 10 : 6)) {
			case 0 -> (random.nextInt(4) > 0) ? text(random) : null;
			case 1 -> random.nextBoolean();
			case 2, 3 -> text(random);
			case 4, 5 -> number(random);
			case 6, 7 -> {
				List<Object> list = new ArrayList<>();
				for (int i = random.nextInt(4); i > 0; i--) {
					list.add(model(random, depth - 1));
				}
				yield list;
			}
			case 8 -> {
				Set<Object> set = new HashSet<>();
				for (int i = random.nextInt(4); i > 0; i--) {
					set.add(model(random, depth - 1));
				}
				yield new TreeMap<>(Map.of("set", set));
			}
			default -> {
				Map<String, Object> map = new TreeMap<>();
				for (int i = random.nextInt(4); i > 0; i--) {
					map.put(text(random), model(random, depth - 1));
				}
				yield map;
			}
		};
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(4); i > 0; i--) {
			text.append(PIECES[random.nextInt(PIECES.length)]);
		}
		return text.toString();
	}

	private static BigDecimal number(Random random) {
		BigDecimal number = switch (random.nextInt(4)) {
			case 0 -> BigDecimal.valueOf(random.nextInt(20) - 10);
			case 1 -> BigDecimal.valueOf(random.nextInt(2000) - 1000, random.nextInt(4));
			case 2 -> BigDecimal.valueOf(random.nextLong());
			default -> BigDecimal.valueOf(random.nextInt(1000), random.nextInt(200) - 100);
		};
		return (number.signum() == 0) ? BigDecimal.ZERO : number.stripTrailingZeros();
	}

	private static Object guise(Random random, Object model) {
		if (model instanceof BigDecimal number) {
			return numberGuise(random, number);
		}
		if (model instanceof String text) {
			return random.nextBoolean() ? text : new StringBuilder(text);
		}
		if (model instanceof List<?> list) {
			List<Object> values = new ArrayList<>();
			list.forEach((element) -> values.add(guise(random, element)));
			return random.nextBoolean() ? values : values.toArray();
		}
		if (model instanceof Set<?> set) {
			List<Object> values = new ArrayList<>();
			set.forEach((element) -> values.add(guise(random, element)));
			Collections.shuffle(values, random);
			return random.nextBoolean() ? new LinkedHashSet<>(values) : new HashSet<>(values);
		}
		if (model instanceof Map<?, ?> map) {
			List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
			Collections.shuffle(entries, random);
			Map<Object, Object> values = random.nextBoolean() ? new LinkedHashMap<>() : new HashMap<>();
			entries.forEach((entry) -> values.put(entry.getKey(), guise(random, entry.getValue())));
			return values;
		}
		return model;
	}

	private static Object numberGuise(Random random, BigDecimal number) {
		List<Object> guises = new ArrayList<>(
				Arrays.asList(number, number.setScale(Math.max(number.scale(), 0) + random.nextInt(3))));
		if (number.scale() <= 0) {
			BigInteger integer = number.toBigIntegerExact();
			guises.add(integer);
			if (integer.bitLength() < Long.SIZE) {
				guises.add(integer.longValueExact());
			}
			if (integer.bitLength() < Integer.SIZE) {
				guises.add(integer.intValueExact());
			}
			if (integer.bitLength() < Short.SIZE) {
				guises.add(integer.shortValueExact());
			}
		}
		if (number.precision() <= 15 && isBetween(number, Double.MIN_NORMAL, Double.MAX_VALUE)) {
			guises.add(number.doubleValue());
		}
		if (number.precision() <= 6 && isBetween(number, Float.MIN_NORMAL, Float.MAX_VALUE)) {
			guises.add(number.floatValue());
		}
		return guises.get(random.nextInt(guises.size()));
	}

	/**
	 * Returns whether a decimal whose digits a floating-point type keeps lies in the
	 * range of that type.
	 */
	private static boolean isBetween(BigDecimal number, double min, double max) {
		return number.signum() == 0 || (number.abs().compareTo(BigDecimal.valueOf(min)) > 0
				&& number.abs().compareTo(BigDecimal.valueOf(max)) < 0);
	}

}
