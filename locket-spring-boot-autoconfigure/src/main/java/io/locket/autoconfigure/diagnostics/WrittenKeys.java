package io.locket.autoconfigure.diagnostics;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The keys of a map in the configuration, as they are written. Spring Boot treats keys
 * that differ in case, hyphens or underscores as one, and binds the properties of all of
 * them to each. An environment variable has no hyphens, so it adds another key.
 */
public final class WrittenKeys {

	private final String map;

	private final Set<String> names = new HashSet<>();

	/**
	 * The spellings of keys without brackets, by the form that Spring Boot compares.
	 */
	private final Map<String, Set<String>> spellings = new LinkedHashMap<>();

	/**
	 * Reads the keys.
	 * @param map the property of the map, such as {@code locket.queues}
	 * @param environment the configuration
	 */
	public WrittenKeys(String map, ConfigurableEnvironment environment) {
		this.map = map;
		Pattern pattern = Pattern.compile(Pattern.quote(map) + "(?:\\.(?<plain>[^.\\[]*)|\\[(?<bracketed>[^]]*)]).*",
				Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> named
					&& !(source instanceof SystemEnvironmentPropertySource)) {
				for (String property : named.getPropertyNames()) {
					add(pattern.matcher(property));
				}
			}
		}
	}

	private void add(Matcher property) {
		if (property.matches()) {
			String plain = property.group("plain");
			this.names.add((plain != null) ? plain : property.group("bracketed"));
			if (plain != null) {
				this.spellings.computeIfAbsent(uniform(plain), (uniform) -> new LinkedHashSet<>()).add(plain);
			}
		}
	}

	/**
	 * Returns whether a key exists only because an environment variable changes the
	 * properties of a key with another spelling.
	 * @param key the key as it was bound
	 * @return {@code true} if the other key has the same properties
	 */
	public boolean isOtherwiseWritten(String key) {
		return !this.names.contains(key) && this.spellings.containsKey(uniform(key));
	}

	/**
	 * Checks for keys with several spellings.
	 * @param problems receives them
	 */
	public void check(PropertyProblems problems) {
		for (Set<String> written : this.spellings.values()) {
			if (written.size() > 1) {
				problems.add(this.map, written, "are one name to Spring Boot, which mixes their properties.",
						"Write each name in one spelling. Names must differ in more than upper case, hyphens and"
								+ " underscores, or be in brackets.");
			}
		}
	}

	/**
	 * Returns the property of a key, which is in brackets if Spring Boot requires them.
	 * @param map the property of the map
	 * @param key the key
	 * @return the property
	 */
	public static String property(String map, String key) {
		return map + (key.matches("[a-z0-9-]+") ? "." + key : "[" + key + "]");
	}

	private static String uniform(String key) {
		return key.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT);
	}

}
