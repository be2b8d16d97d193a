package io.locket.autoconfigure;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.locket.schedule.ScheduleRules;

import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names of schedules as they are written. Spring Boot takes names that differ in
 * case, hyphens or underscores for one, whose properties it would give to each of them,
 * and says of a name that it cannot read nothing that helps.
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

	private static final Pattern WITHOUT_UNIT = Pattern.compile("\\s*[+-]?0*[1-9]\\d*\\s*");

	/**
	 * The ways in which names are written: by what Spring Boot compares, and by what it
	 * takes for the key of a map.
	 */
	private final Map<String, Set<Key>> keys = new LinkedHashMap<>();

	private final Set<String> nestedArguments = new LinkedHashSet<>();

	private final Map<String, String> timesWithoutUnit = new LinkedHashMap<>();

	ScheduleKeys(ConfigurableEnvironment environment) {
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> named) {
				// Variables are in upper case, whatever they stand for.
				boolean variables = source instanceof SystemEnvironmentPropertySource;
				for (String property : named.getPropertyNames()) {
					if (variables ? TIME_VARIABLE.matcher(property).matches() : add(property, named)) {
						checkUnit(property,
								environment.resolvePlaceholders(String.valueOf(source.getProperty(property))));
					}
				}
			}
		}
	}

	private void checkUnit(String property, String time) {
		if (WITHOUT_UNIT.matcher(time).matches()) {
			this.timesWithoutUnit.put(property, time.trim());
		}
	}

	/**
	 * Add a property.
	 * @return whether it is a time
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
	 * An empty object comes as empty text, but text that is written knows where. An empty
	 * list cannot be told from text.
	 */
	private static boolean isEmptyObject(PropertySource<?> source, String property) {
		return source instanceof OriginTrackedMapPropertySource tracked && tracked.getOrigin(property) == null
				&& "".equals(source.getProperty(property));
	}

	/**
	 * Check what would be misread.
	 * @throws InvalidLocketConfigurationException if there is such a thing
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
					"are one name to Spring Boot, which mixes up what is written under them.",
					"Write one schedule in one way, and two under names that differ in more than upper case, hyphens,"
							+ " underscores and brackets."));
		this.nestedArguments.forEach((argument) -> problems.add(argument, "...",
				"is a list or an object, which no argument in the configuration can be.",
				"Write text, a number, true or false; or put the schedule at run time: Schedules.put(...)."));
		this.timesWithoutUnit.forEach((property, time) -> problems.add(property, time,
				"has no unit, and would be milliseconds.", "Write a time with its unit, such as 1h or " + time + "s."));
		problems.throwIfAny();
	}

	private static void addIllFormed(Key key, PropertyProblems problems) {
		problems.add(PROPERTY, "'" + key.name().replaceAll("\\p{Cntrl}", "?") + "'", "is no name of a schedule.",
				"Write " + ScheduleRules.NAME + "; one with dots goes in brackets: \"[eu.nightly]\".");
	}

	/**
	 * Return whether a name is there only since a variable of the environment changes a
	 * schedule that is written otherwise.
	 * @param name the name as it was bound
	 */
	boolean isOtherwiseWritten(String name) {
		return !this.keys.containsKey("=" + name) && this.keys.containsKey(new Key(name, false).uniform());
	}

	/**
	 * Return the property of a schedule.
	 * @param name the name of the schedule
	 */
	static String property(String name) {
		return name.contains(".") ? PROPERTY + "[" + name + "]" : PROPERTY + "." + name;
	}

	/**
	 * A name as it is written.
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
