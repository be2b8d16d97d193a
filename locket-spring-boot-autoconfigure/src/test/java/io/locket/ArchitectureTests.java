package io.locket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
 * Rules for the dependencies of packages and for the calls of main code.
 */
class ArchitectureTests {

	private static final String ROOT = "io.locket";

	private static final String AUTOCONFIGURE = "io.locket.autoconfigure..";

	/**
	 * The packages of Locket that each package may use, beside itself and the root. The
	 * rules are for exact packages. Auto-configuration may use all of them. That nothing
	 * uses a module above it, Redis or Spring Boot without a right to do so, is held by
	 * the poms of the modules.
	 */
	private static final String MAY_USE = """
			text:
			log:
			settings:
			event:
			event.publish: event log
			observer: log
			key: key.canonical
			key.canonical:
			lease: text
			lease.heartbeat: event event.publish key lease log
			queue: text
			queue.argument: queue text
			queue.spi: queue text
			job.definition: key queue text
			job.recording:
			job.catalog: job.definition job.recording key lease queue.argument queue.spi
			job: event event.publish job.catalog job.definition job.recording key lease log observer queue \
			 queue.argument queue.spi text
			job.administration: job job.definition queue queue.argument queue.spi
			aop.call: event event.publish job job.definition lease lease.heartbeat log observer
			aop: aop.call event.publish job.catalog job.definition key lease lease.heartbeat log observer
			worker.settings:
			worker.reservation: event event.publish queue queue.spi worker.settings
			worker.run: aop aop.call job.catalog job.definition key lease.heartbeat log observer queue queue.argument \
			 queue.spi worker.settings
			worker: key lease.heartbeat log observer queue queue.spi worker.reservation worker.run worker.settings
			worker.consumer: aop aop.call key lease.heartbeat log observer queue queue.argument queue.spi worker \
			 worker.reservation worker.run worker.settings
			schedule: job lease log queue queue.spi text
			schedule.leader: event event.publish lease lease.heartbeat log
			schedule.firing: event event.publish job lease log queue queue.spi schedule schedule.leader
			metrics: event queue
			observation: log observer
			redis: lease.heartbeat log
			redis.script: redis
			lease.redis: event event.publish key lease lease.heartbeat redis redis.script
			lease.registry: event event.publish key lease lease.heartbeat lease.redis
			queue.redis: event event.publish lease.redis log queue queue.redis.event queue.redis.format \
			 queue.redis.turn queue.spi redis redis.script
			queue.redis.event: event event.publish log queue queue.redis.format queue.redis.turn queue.spi
			queue.redis.format: key queue queue.spi
			queue.redis.turn: queue queue.redis.format queue.spi redis
			schedule.redis: queue queue.redis schedule
			lease.memory: event event.publish key lease log
			queue.memory: event event.publish lease.memory queue queue.spi
			schedule.memory: lease.memory queue queue.spi schedule
			health: lease.heartbeat schedule.leader worker
			actuate.descriptor: job job.administration job.definition lease queue schedule
			actuate: actuate.descriptor event job job.administration lease queue schedule schedule.leader settings text
			""";

	/**
	 * Maximum number of top-level types in a package.
	 */
	private static final int LARGEST_PACKAGE = 20;

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages(ROOT);

	static Map<String, Set<String>> rules() {
		Map<String, Set<String>> rules = new TreeMap<>();
		MAY_USE.lines().forEach((line) -> {
			String[] parts = line.split(":");
			rules.put(ROOT + "." + parts[0],
					(parts.length == 1) ? Set.of()
							: Stream.of(parts[1].strip().split("\\s+"))
								.map((name) -> ROOT + "." + name)
								.collect(Collectors.toSet()));
		});
		return rules;
	}

	static Set<String> packages() {
		return rules().keySet();
	}

	@ParameterizedTest
	@MethodSource("packages")
	void packageUsesOnlyWhatItMay(String name) {
		Set<String> allowed = rules().get(name);
		check(noClasses().that()
			.resideInAPackage(name)
			.should()
			.dependOnClassesThat(DescribedPredicate.describe("are in other packages of Locket", (type) -> {
				String other = type.getPackageName();
				return other.startsWith(ROOT + ".") && !other.equals(name) && !allowed.contains(other);
			})));
	}

	@Test
	void everyPackageHasItsRule() {
		Set<String> present = CLASSES.stream()
			.map(JavaClass::getPackageName)
			.filter((name) -> !name.equals(ROOT) && !name.startsWith(ROOT + ".autoconfigure"))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(packages()).containsExactlyInAnyOrderElementsOf(present);
	}

	/**
	 * The events are one sealed hierarchy, which Java requires to be in one package. The
	 * sections of the endpoint share package-private types.
	 */
	@Test
	void packagesAreSmall() {
		Map<String, Long> sizes = CLASSES.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
		sizes.keySet().removeAll(Set.of(ROOT + ".event", ROOT + ".actuate"));
		assertThat(sizes).allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(LARGEST_PACKAGE));
	}

	@Test
	void packagesThatAreNotInTheDocumentedApiStateThat() throws IOException {
		String documented = Files.readString(Path.of("../docs/README.md"));
		List<Path> silent = new ArrayList<>();
		for (String module : List.of("locket-core", "locket-redis", "locket-memory", "locket-spring-boot-autoconfigure",
				"locket-dashboard", "locket-spring-boot-starter-test")) {
			Path root = Path.of("..", module, "src/main/java");
			try (Stream<Path> files = Files.walk(root)) {
				for (Path file : files.filter((path) -> path.endsWith("package-info.java")).toList()) {
					String name = root.relativize(file.getParent()).toString().replace('/', '.');
					if (!documented.contains("`" + name + "`") && !Files.readString(file)
						.replaceAll("\\s+\\*?\\s*", " ")
						.contains("Not part of the API")) {
						silent.add(file);
					}
				}
			}
		}
		assertThat(silent).isEmpty();
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
			.accessTargetWhere(access("reads the time without a Clock",
					(access) -> access.getTargetOwner().getPackageName().equals("java.time")
							&& access.getTarget().getName().equals("now") && !takesClock(access))));
		check(noClasses().should()
			.accessTargetWhere(
					access("reads the system's time", (access) -> access.getTargetOwner().isEquivalentTo(System.class)
							&& access.getTarget().getName().equals("currentTimeMillis"))));
	}

	/**
	 * A class that needs {@link System#nanoTime()} receives a method reference to it.
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
