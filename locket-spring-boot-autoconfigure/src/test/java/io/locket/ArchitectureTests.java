package io.locket;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationProperties;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each package may touch, and what main code never does.
 */
class ArchitectureTests {

	private static final String ROOT = "io.locket";

	private static final String AUTOCONFIGURE = "io.locket.autoconfigure..";

	/**
	 * The packages and those of Locket's packages that each may use beside itself and the
	 * root. Auto-configuration may use all, and nothing uses it.
	 */
	private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(Map.entry("event", Set.of()),
			Map.entry("key", Set.of()), Map.entry("lease", Set.of("event", "key")),
			Map.entry("queue", Set.of("event", "key", "lease")),
			Map.entry("job", Set.of("event", "key", "lease", "queue")),
			Map.entry("aop", Set.of("event", "key", "lease", "job", "queue")),
			Map.entry("worker", Set.of("event", "key", "lease", "queue", "job", "aop")),
			Map.entry("schedule", Set.of("event", "key", "lease", "queue", "job")),
			Map.entry("metrics", Set.of("event", "queue")), Map.entry("observation", Set.of("event")),
			Map.entry("health", Set.of("lease", "schedule", "worker")),
			Map.entry("actuate", Set.of("lease", "queue", "job", "schedule")));

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages(ROOT);

	static Set<String> packages() {
		return new TreeSet<>(MAY_USE.keySet());
	}

	@ParameterizedTest
	@MethodSource("packages")
	void packageUsesOnlyWhatItMay(String name) {
		String[] allowed = Stream.concat(Stream.of(ROOT, within(name)), MAY_USE.get(name).stream().map(this::within))
			.toArray(String[]::new);
		check(noClasses().that()
			.resideInAPackage(within(name))
			.should()
			.dependOnClassesThat(DescribedPredicate.describe("are in other packages of Locket",
					(type) -> type.getPackageName().startsWith(ROOT)
							&& !JavaClass.Predicates.resideInAnyPackage(allowed).test(type))));
	}

	@Test
	void everyPackageHasItsRule() {
		Set<String> present = CLASSES.stream()
			.map(JavaClass::getPackageName)
			.filter((name) -> !name.equals(ROOT))
			.map((name) -> name.substring(ROOT.length() + 1).split("\\.")[0])
			.collect(Collectors.toCollection(TreeSet::new));
		present.remove("autoconfigure");
		assertThat(packages()).containsAll(present);
	}

	@Test
	void rootUsesTheJdkOnly() {
		check(classes().that()
			.resideInAPackage(ROOT)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(ROOT, "java..", "org.jspecify.annotations"));
	}

	@Test
	void metricsUseMicrometerOnly() {
		check(classes().that()
			.resideInAPackage(within("metrics"))
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(ROOT, within("event"), ROOT + ".queue", within("metrics"), "java..",
					"org.jspecify.annotations", "org.apache.commons.logging", "io.micrometer.core.."));
	}

	@Test
	void packagesAreFreeOfCycles() {
		check(slices().matching("io.(**)").should().beFreeOfCycles());
	}

	@Test
	void redisIsSeenByLeasesItsQueueItsSchedulesAndAutoConfigurationOnly() {
		check(noClasses().that()
			.resideOutsideOfPackages(within("lease"), within("queue.redis"), within("schedule.redis"), AUTOCONFIGURE)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.data.redis..", "org.springframework.boot.data.redis..",
					"org.springframework.integration..", "io.lettuce.."));
	}

	@Test
	void micrometerIsSeenByMetricsOnly() {
		check(noClasses().that()
			.resideOutsideOfPackages(within("metrics"), "io.locket.autoconfigure.metrics",
					"io.locket.autoconfigure.observation")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.micrometer.core.."));
	}

	@Test
	void propertiesAreInAutoConfigurationOnly() {
		check(classes().that()
			.areAnnotatedWith(ConfigurationProperties.class)
			.should()
			.resideInAPackage(AUTOCONFIGURE)
			.allowEmptyShould(true));
	}

	@Test
	void autoConfigurationsShowNothing() {
		check(classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration")
			.andShould()
			.resideInAPackage(AUTOCONFIGURE)
			.allowEmptyShould(true));
		check(methods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.notBePublic()
			.allowEmptyShould(true));
	}

	@Test
	void packagesAreNullMarked() {
		Set<JavaPackage> packages = CLASSES.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
		assertThat(packages).allMatch((candidate) -> candidate.isAnnotatedWith(NullMarked.class));
	}

	@Test
	void wallClockTimeComesFromClocks() {
		check(noClasses().should()
			.accessTargetWhere(access("asks the time without a Clock",
					(access) -> access.getTargetOwner().getPackageName().equals("java.time")
							&& access.getTarget().getName().equals("now") && !takesClock(access))));
		check(noClasses().should()
			.accessTargetWhere(
					access("asks the system's time", (access) -> access.getTargetOwner().isEquivalentTo(System.class)
							&& access.getTarget().getName().equals("currentTimeMillis"))));
	}

	/**
	 * A method reference to {@link System#nanoTime()} is handed in where a class needs
	 * it.
	 */
	@Test
	void monotonicTimeComesFromTickers() {
		check(noClasses().should().callMethod(System.class, "nanoTime"));
	}

	@Test
	void nothingIsPrinted() {
		check(GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
	}

	private static void check(ArchRule rule) {
		rule.check(CLASSES);
	}

	private String within(String name) {
		return ROOT + "." + name + "..";
	}

	private static DescribedPredicate<JavaAccess<?>> access(String description, Predicate<JavaAccess<?>> predicate) {
		return DescribedPredicate.describe(description, predicate);
	}

	private static boolean takesClock(JavaAccess<?> access) {
		return access.getTarget() instanceof CodeUnitAccessTarget target
				&& target.getRawParameterTypes().stream().anyMatch((type) -> type.isEquivalentTo(Clock.class));
	}

}
