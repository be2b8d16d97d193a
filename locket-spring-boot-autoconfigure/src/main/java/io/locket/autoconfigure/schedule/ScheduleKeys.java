package io.locket.autoconfigure.schedule;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.schedule.ScheduleRules;
import io.locket.text.LineText;

import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names of schedules as written in the configuration. Spring Boot treats names that
 * differ in case, hyphens or underscores as one, and binds the properties of all of them
 * to each. For names that it cannot parse, its message does not help. This check detects
 * both.
 */
final class ScheduleKeys {

	private static final String PROPERTY = "locket.schedules";

	private static final Pattern KEY = Pattern.compile(
			"locket\\.schedules(?:\\.(?<plain>[^.\\[]*)|\\[(?<bracketed>[^]]*)])(?<rest>.*)",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern NESTED_ARGUMENT = Pattern.compile("\\.args(?<index>\\[\\d+])[.\\[].*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern TIME = Pattern.compile("(?:\\.every|\\.catch[-_]?up)", Pattern.CASE_INSENSITIVE);

	private static final Pattern TIME_VARIABLE = Pattern.compile("LOCKET_SCHEDULES_.+_(?:EVERY|CATCH_?UP)",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern ARGUMENT = Pattern.compile("\\.args\\[\\d+]", Pattern.CASE_INSENSITIVE);

	/**
	 * The spellings of names, by the form that Spring Boot compares and by the form that
	 * it uses as a map key.
	 */
	private final Map<String, Set<Key>> keys = new LinkedHashMap<>();

	private final Set<String> nestedArguments = new LinkedHashSet<>();

	private final Map<String, String> times = new LinkedHashMap<>();

	ScheduleKeys(ConfigurableEnvironment environment) {
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> named) {
				// Environment variables are in upper case, whatever the name of the
				// schedule.
				boolean variables = source instanceof SystemEnvironmentPropertySource;
				for (String property : named.getPropertyNames()) {
					if (variables ? TIME_VARIABLE.matcher(property).matches() : add(property, named)) {
						// The value may come from another source, which takes precedence.
						this.times.put(property, environment.resolvePlaceholders("${" + property + "}"));
					}
				}
			}
		}
	}

	/**
	 * Adds a property.
	 * @return whether its value is a duration
	 */
	private boolean add(String property, PropertySource<?> source) {
		Matcher matcher = KEY.matcher(property);
		if (!matcher.matches()) {
			return false;
		}
		boolean bracketed = matcher.group("plain") == null;
		Key key = new Key(bracketed ? matcher.group("bracketed") : matcher.group("plain"), bracketed);
		this.keys.computeIfAbsent(key.uniform(), (uniform) -> new LinkedHashSet<>()).add(key);
		this.keys.computeIfAbsent("=" + key.name(), (name) -> new LinkedHashSet<>()).add(key);
		String rest = matcher.group("rest");
		Matcher argument = NESTED_ARGUMENT.matcher(rest);
		if (argument.matches()) {
			this.nestedArguments.add(property(key.name()) + ".args" + argument.group("index"));
		}
		else if (ARGUMENT.matcher(rest).matches() && isEmptyObject(source, property)) {
			this.nestedArguments.add(property(key.name()) + rest);
		}
		return TIME.matcher(rest).matches();
	}

	/**
	 * Returns whether a value is an empty object. It is bound as empty text without an
	 * origin, unlike written text. An empty list cannot be distinguished from text.
	 */
	private static boolean isEmptyObject(PropertySource<?> source, String property) {
		return source instanceof OriginTrackedMapPropertySource tracked && tracked.getOrigin(property) == null
				&& "".equals(source.getProperty(property));
	}

	/**
	 * Checks for names and values that Spring Boot would misread.
	 * @throws InvalidLocketConfigurationException if there are any
	 */
	void check() {
		PropertyProblems problems = new PropertyProblems();
		this.keys.values()
			.stream()
			.flatMap(Set::stream)
			.filter((key) -> !key.isReadable())
			.distinct()
			.forEach((key) -> addIllFormed(key, problems));
		this.keys.values()
			.stream()
			.filter((spellings) -> spellings.size() > 1)
			.distinct()
			.forEach((spellings) -> problems.add(PROPERTY, spellings,
					"are one name to Spring Boot, which mixes their properties.",
					"Write each schedule in one spelling. Names of two schedules must differ in more than upper case,"
							+ " hyphens, underscores and brackets."));
		this.nestedArguments.forEach((argument) -> problems.add(argument, "...",
				"is a list or an object, which is not supported as an argument in the configuration.",
				"Write text, a number, true or false, or create the schedule at run time: Schedules.put(...)."));
		this.times.forEach((property, time) -> problems.checkUnit(property, time, "1h or " + time.trim() + "s"));
		problems.throwIfAny();
	}

	private static void addIllFormed(Key key, PropertyProblems problems) {
		problems.add(PROPERTY, "'" + LineText.of(key.name()) + "'", "is not a valid schedule name.",
				"Write " + ScheduleRules.NAME + ". Put a name with dots in brackets: \"[eu.nightly]\".");
	}

	/**
	 * Returns the property of a schedule.
	 * @param name the name of the schedule
	 */
	static String property(String name) {
		return name.contains(".") ? PROPERTY + "[" + name + "]" : PROPERTY + "." + name;
	}

	/**
	 * A name as written.
	 */
	private record Key(String name, boolean bracketed) {

		String uniform() {
			return this.bracketed ? this.name : this.name.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT);
		}

		boolean isReadable() {
			return ScheduleRules.isName(this.name) && (this.bracketed || this.name.matches("\\p{Alnum}.*"));
		}

		@Override
		public String toString() {
			return this.bracketed ? "[" + this.name + "]" : this.name;
		}

	}

}
