package io.locket.autoconfigure;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.autoconfigure.diagnostics.NearNames;
import io.locket.autoconfigure.properties.LocketProperties;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * The names of all properties below {@code locket}, read from the classes to which they
 * are bound.
 */
public final class KnownProperties {

	private static final String PREFIX = "locket";

	private static final int MOST = 3;

	private KnownProperties() {
	}

	/**
	 * Returns whether a property is known, in any spelling that Spring Boot binds.
	 * @param property the property, or an element of it if it is a list
	 * @return {@code true} if there is such a property
	 */
	static boolean contains(ConfigurationPropertyName property) {
		List<String> elements = elements(property);
		return all(elements).anyMatch((name) -> uniform(name).equals(uniform(String.join(".", elements))));
	}

	/**
	 * Returns the known properties that are similar to an unknown one: those whose names
	 * differ in few letters, and those with the same last element. If a name differs in
	 * one letter only, no others are returned.
	 * @param unknown the unknown property
	 * @return at most three names, the most similar first
	 */
	public static List<String> near(ConfigurationPropertyName unknown) {
		List<String> elements = elements(unknown);
		String written = uniform(String.join(".", elements));
		List<Candidate> near = all(elements).map((name) -> new Candidate(name, distance(written, uniform(name))))
			.filter((candidate) -> candidate.distance() <= 1 + last(written).length() / 3)
			.sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
			.toList();
		boolean misspelt = !near.isEmpty() && near.get(0).distance() == 1;
		return near.stream()
			.filter((candidate) -> !misspelt || candidate.distance() == 1)
			.limit(MOST)
			.map(Candidate::name)
			.toList();
	}

	/**
	 * Returns the elements of a name without the numbers of list elements.
	 */
	private static List<String> elements(ConfigurationPropertyName name) {
		return IntStream.range(0, name.getNumberOfElements())
			.filter((index) -> !name.isNumericIndex(index))
			.mapToObj((index) -> name.getElement(index, Form.ORIGINAL))
			.toList();
	}

	/**
	 * Returns the names of all properties, with the map keys of a written name.
	 */
	private static Stream<String> all(List<String> written) {
		Set<String> names = new LinkedHashSet<>();
		collect(ResolvableType.forClass(LocketProperties.class), PREFIX, 1, written, names);
		return names.stream();
	}

	/**
	 * Returns the distance between two names. A name with the same last element counts as
	 * similar, because a misplaced property is about as likely as a misspelt one.
	 */
	private static int distance(String written, String known) {
		int whole = NearNames.distance(written, known);
		return last(written).equals(last(known)) ? Math.min(whole, 2) : whole;
	}

	private static String last(String name) {
		return name.substring(name.lastIndexOf('.') + 1);
	}

	private static String uniform(String name) {
		return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
	}

	private static void collect(ResolvableType type, String prefix, int depth, List<String> written,
			Set<String> names) {
		for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type.toClass())) {
			Method getter = property.getReadMethod();
			if (getter == null || property.getName().equals("class")) {
				continue;
			}
			String name = prefix + "." + DataObjectPropertyName.toDashedForm(property.getName());
			ResolvableType value = ResolvableType.forMethodReturnType(getter, type.toClass());
			if (Map.class.isAssignableFrom(value.toClass())) {
				String key = (written.size() > depth + 1) ? written.get(depth + 1) : "<name>";
				collect(value.as(Map.class).getGeneric(1), name + "." + key, depth + 2, written, names);
			}
			else if (isNested(value.toClass())) {
				collect(value, name, depth + 1, written, names);
			}
			else {
				names.add(name);
			}
		}
	}

	private static boolean isNested(Class<?> type) {
		return type.getPackageName().equals(LocketProperties.class.getPackageName()) && !type.isEnum();
	}

	/**
	 * A known property and its distance from the unknown one.
	 */
	private record Candidate(String name, int distance) {

	}

}
