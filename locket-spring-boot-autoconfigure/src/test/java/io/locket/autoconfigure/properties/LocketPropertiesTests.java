package io.locket.autoconfigure.properties;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.aop.call.OnLost;
import io.locket.aop.call.OnUnavailable;
import io.locket.autoconfigure.KnownProperties;
import io.locket.autoconfigure.diagnostics.FailedStart;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.job.definition.InvalidUniqueJobException;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketProperties} and {@link LocketPropertiesValidator}.
 */
class LocketPropertiesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(PropertiesConfiguration.class);

	@Test
	void defaultsAreThoseOfTheDesign() {
		this.contextRunner.run((context) -> {
			LocketProperties properties = context.getBean(LocketProperties.class);
			assertThat(properties.isEnabled()).isTrue();
			assertThat(properties.getNamespace()).isNull();
			assertThat(properties.isMaskArguments()).isFalse();
			assertThat(properties.getRedis().getConnectionFactory()).isNull();
			assertThat(properties.getRedis().getCommandTimeout()).isEqualTo(Duration.ofSeconds(2));
			assertThat(properties.getRedis().getWaitReplicas()).isZero();
			assertThat(properties.getLease().getStore()).isEqualTo(LeaseStore.REDIS);
			assertThat(properties.getLease().getRegistryKey()).isNull();
			assertThat(properties.getLease().getDuration()).isEqualTo(Duration.ofSeconds(35));
			assertThat(properties.getLease().getHeartbeat()).isEqualTo(Duration.ofSeconds(10));
			assertThat(properties.getLease().getOnLost().getDirect()).isEqualTo(OnLost.NOTIFY);
			assertThat(properties.getLease().getOnUnavailable()).isEqualTo(OnUnavailable.FAIL);
			assertThat(properties.getJob().getLock().strategy()).isEqualTo(LockStrategy.WHILE_EXECUTING);
			assertThat(properties.getJob().getOnConflict()).isNull();
			assertThat(properties.getLeader().getEnabled()).isNull();
			assertThat(properties.getLeader().getTtl()).isEqualTo(Duration.ofSeconds(30));
			assertThat(properties.getLeader().getMisfireAfter()).isEqualTo(Duration.ofSeconds(5));
			assertThat(properties.getMetrics().getMaxAge()).isEqualTo(Duration.ofSeconds(5));
		});
	}

	@Test
	void everyPropertyBinds() {
		this.contextRunner
			.withPropertyValues("locket.enabled=true", "locket.namespace=app", "locket.mask-arguments=true",
					"locket.redis.connection-factory=mine", "locket.redis.command-timeout=1s",
					"locket.redis.wait-replicas=1", "locket.lease.store=lock-registry",
					"locket.lease.registry-key={app}:locks", "locket.lease.duration=1m", "locket.lease.heartbeat=5m",
					"locket.lease.on-lost.direct=interrupt", "locket.lease.on-unavailable=skip",
					"locket.job.lock=until-executed", "locket.job.on-conflict=raise")
			.run((context) -> {
				LocketProperties properties = context.getBean(LocketProperties.class);
				assertThat(properties.getLease().getStore()).isEqualTo(LeaseStore.LOCK_REGISTRY);
				assertThat(properties.getLease().getRegistryKey()).isEqualTo("{app}:locks");
				assertThat(properties.getLease().getHeartbeat()).isEqualTo(Duration.ofMinutes(5));
				assertThat(properties.getLease().getOnLost().getDirect()).isEqualTo(OnLost.INTERRUPT);
				assertThat(properties.getJob().getLock().strategy()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
			});
	}

	@Test
	void unknownPropertyStopsStartUpAndIsNamed() {
		this.contextRunner.withPropertyValues("locket.leese.duration=1s").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("locket.leese.duration");
			assertThat(analysis.getAction()).contains("locket.leese.duration: Did you mean locket.lease.duration?");
		});
	}

	@Test
	void nameThatDiffersInOneLetterIsTheOnlySuggestion() {
		this.contextRunner.withPropertyValues("locket.worker.queue=q")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getAction())
				.contains("locket.worker.queue: Did you mean locket.worker.queues?"));
	}

	@Test
	void propertyOfTheConnectionToRedisIsNamed() {
		this.contextRunner
			.withPropertyValues("locket.redis.host=localhost", "locket.redis.enabled=true", "locket.unheard=1")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getAction())
				.contains("locket.redis.host: Remove it. spring.data.redis.* configures the connection to Redis.")
				.contains("locket.redis.enabled: Remove it. spring.data.redis.* configures")
				.contains("locket.unheard: Remove it. docs/configuration.md lists all properties."));
	}

	@ParameterizedTest
	@CsvSource({ "locket.lease.duratoin, locket.lease.duration", "locket.worker.queue, locket.worker.queues",
			"locket.worker.queue[0], locket.worker.queues", "locket.heartbeat, locket.lease.heartbeat",
			"locket.queues.high.max-runing, locket.queues.high.max-running",
			"locket.schedules.nightly.corn, locket.schedules.nightly.cron",
			"locket.schedules.nightly.catchp, locket.schedules.nightly.catch-up",
			"locket.worker.groups.fast.concurency, locket.worker.groups.fast.concurrency",
			"locket.retry.backof.initial, locket.retry.backoff.initial",
			"locket.queue.defaultname, locket.queue.default-name" })
	void propertyThatIsMisspeltGetsTheNearestOne(String misspelt, String meant) {
		List<String> near = KnownProperties.near(ConfigurationPropertyName.of(misspelt));
		assertThat(near).first().isEqualTo(meant);
	}

	@Test
	void propertyThatIsLikeNoOtherHasNoSuggestion() {
		assertThat(KnownProperties.near(ConfigurationPropertyName.of("locket.zzzzzzzz.qqqqqqqq"))).isEmpty();
		this.contextRunner.withPropertyValues("locket.zzzzzzzz=1")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getAction())
				.contains("locket.zzzzzzzz: Remove it"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "locket.lease.duration=", "locket.job.onConflict=", "locket.queues.slow.unique-for=",
			"locket.schedules.a.every=${NOTHING:}" })
	void propertyWithoutAValueIsNotCalledUnknown(String property) {
		assertAdvice(property, "Write a value, or remove the property.");
	}

	@Test
	void elementOfAListAfterAGapIsNotCalledUnknown() {
		assertAdvice("locket.worker.queues[1]=slow", "Number the elements of a list from 0, without gaps.");
	}

	private void assertAdvice(String property, String advice) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getAction()).endsWith(": " + advice));
	}

	@ParameterizedTest
	@ValueSource(strings = { "locket.job.lock", "locket.job.on-duplicate", "locket.job.on-conflict",
			"locket.queues.slow.lock", "locket.queues.slow.on-duplicate", "locket.queues.slow.on-conflict" })
	void defaultIsNoStrategyOfAProperty(String property) {
		this.contextRunner.withPropertyValues(property + "=default").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains(property, "default");
			assertThat(analysis.getAction()).containsPattern(property + ": Write [a-z, -]+\\.$")
				.doesNotContainIgnoringCase("default");
		});
	}

	@Test
	void strategiesOfPropertiesAreAllButDefault() {
		assertThat(ConfiguredStrategies.Lock.values()).extracting(ConfiguredStrategies.Lock::strategy)
			.containsExactlyElementsOf(EnumSet.complementOf(EnumSet.of(LockStrategy.DEFAULT)));
		assertThat(ConfiguredStrategies.OnDuplicate.values()).extracting(ConfiguredStrategies.OnDuplicate::strategy)
			.containsExactlyElementsOf(EnumSet.complementOf(EnumSet.of(DuplicateStrategy.DEFAULT)));
		assertThat(ConfiguredStrategies.OnConflict.values()).extracting(ConfiguredStrategies.OnConflict::strategy)
			.containsExactlyElementsOf(EnumSet.complementOf(EnumSet.of(ConflictStrategy.DEFAULT)));
	}

	@Test
	void wrongValueStopsStartUpAndIsNamed() {
		this.contextRunner.withPropertyValues("locket.lease.on-unavailable=perhaps").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("locket.lease.on-unavailable", "perhaps");
			assertThat(analysis.getAction()).endsWith(": Write fail, skip, run.");
		});
	}

	@Test
	void environmentVariablesOfOthersAreNoTypo() {
		this.contextRunner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
						new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of("LOCKET_HOME", "/opt/locket", "LOCKET_ENVIRONMENT", "prod",
										"LOCKET_LEASE_DURATION", "1m"))))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(LocketProperties.class).getLease().getDuration())
					.isEqualTo(Duration.ofMinutes(1));
			});
	}

	@Test
	void environmentVariableChangesGroupsQueuesAndSchedulesThatAreWrittenWithHyphens() {
		this.contextRunner.withInitializer((context) -> {
			MutablePropertySources sources = context.getEnvironment().getPropertySources();
			sources.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of("LOCKET_WORKER_GROUPS_SLOWREPORTS_CONCURRENCY", "8",
									"LOCKET_QUEUES_SLOWMAIL_MAXRUNNING", "3", "LOCKET_SCHEDULES_NIGHTLY_EVERY", "2h")));
			sources.addLast(new MapPropertySource("file",
					Map.of("locket.worker.groups.slow-reports.queues", "reports",
							"locket.worker.groups.slow-reports.concurrency", "2", "locket.queues.slow-mail.unique-for",
							"1h", "locket.schedules.night-ly.every", "1h")));
		}).run((context) -> {
			LocketProperties properties = context.getBean(LocketProperties.class);
			assertThat(WorkerGroupSpec.of(properties.getWorker())).singleElement().satisfies((group) -> {
				assertThat(group.name()).isEqualTo("slow-reports");
				assertThat(group.concurrency()).isEqualTo(8);
			});
			assertThat(properties.getQueues()).containsOnlyKeys("slow-mail");
			assertThat(properties.getQueues().get("slow-mail").getMaxRunning()).isEqualTo(3);
			assertThat(properties.getSchedules()).containsOnlyKeys("night-ly");
			assertThat(properties.getSchedules().get("night-ly").getEvery()).isEqualTo(Duration.ofHours(2));
			assertThat(properties.getQueues().get("slow-mail").getUniqueFor()).isEqualTo(Duration.ofHours(1));
		});
	}

	@Test
	void severalSpellingsOfAGroupStopTheStart() {
		problems("locket.worker.groups.slow-reports.queues=reports", "locket.worker.groups.slowReports.concurrency=8")
			.anySatisfy((problem) -> assertThat(problem.toString()).contains("locket.worker.groups", "slow-reports",
					"slowReports", "one name to Spring Boot"));
	}

	@Test
	void commandTimeoutIsAtMostAThirdOfTheLease() {
		problems("locket.redis.command-timeout=12s", "locket.leader.ttl=3m").singleElement()
			.satisfies((problem) -> assertThat(problem.toString()).contains("locket.redis.command-timeout=12s",
					"third of locket.lease.duration, which is 35s", "locket.lease.duration=36s or more"));
	}

	@Test
	void commandTimeoutIsAtMostAThirdOfTheLeadersLease() {
		problems("locket.leader.ttl=5s").singleElement()
			.satisfies((problem) -> assertThat(problem.toString()).contains("locket.redis.command-timeout=2s",
					"third of locket.leader.ttl, which is 5s", "locket.leader.ttl=6s or more"));
	}

	@ParameterizedTest
	@CsvSource({ "locket.dead.max-age, 30d", "locket.history.max-age, 1h", "locket.job.unique-for, 1h",
			"locket.leader.misfire-after, 20s", "locket.leader.ttl, 30s", "locket.lease.duration, 35s",
			"locket.lease.heartbeat, 10s", "locket.metrics.max-age, 20s", "locket.queues.mail.unique-for, 1h",
			"locket.queues[mailOut].unique-for, 1h", "locket.redis.command-timeout, 2s",
			"locket.retry.backoff.initial, 15s", "locket.retry.backoff.max, 1h", "locket.worker.batch-hold, 20s",
			"locket.worker.poll-interval, 20s", "locket.worker.shutdown-grace, 20s",
			"locket.worker.groups.mine.batch-hold, 20s", "locket.worker.groups.mine.poll-interval, 20s" })
	void durationWithoutAUnitStopsStartUp(String property, String example) {
		problems("locket.worker.groups.mine.queues=mail", property + "=20").singleElement()
			.satisfies((problem) -> assertThat(problem)
				.hasToString(property + "=20 has no unit and would be read as milliseconds."
						+ " Write a duration with its unit, such as " + example + "."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "locket.queues.mailOut.unique-for", "locket.queues.mail_out.uniqueFor",
			"locket.job.uniqueFor" })
	void durationWithoutAUnitStopsStartUpInEachSpelling(String property) {
		problems(property + "=20").singleElement()
			.satisfies((problem) -> assertThat(problem.toString()).contains("=20 has no unit"));
	}

	@Test
	void durationOfAnEnvironmentVariableWithoutAUnitStopsStartUp() {
		this.contextRunner
			.withInitializer(
					(context) -> context.getEnvironment()
						.getPropertySources()
						.addFirst(new SystemEnvironmentPropertySource(
								StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of("LOCKET_DEAD_MAXAGE", "30"))))
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.contains("locket.dead.max-age=30 has no unit"));
	}

	@Test
	void adviceHasDurationsThatSpringBootReads() {
		problems("locket.redis.command-timeout=25s", "locket.leader.ttl=3m").singleElement()
			.satisfies((problem) -> assertThat(problem.action())
				.isEqualTo("Write 11666ms or less, or locket.lease.duration=75s or more."));
		this.contextRunner.withPropertyValues("locket.redis.command-timeout=11666ms", "locket.leader.ttl=75s")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT-5S, -5s", "PT1M15S, 75s", "P1D, 1d", "PT36H, 36h", "PT0.0015S, 1500us",
			"PT0.000000001S, 1ns" })
	void durationIsWrittenWithOneUnit(Duration duration, String text) {
		assertThat(PropertyProblems.text(duration)).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "locket.lease.duration=0s", "locket.lease.duration=-1s", "locket.lease.heartbeat=0",
			"locket.redis.command-timeout=-5ms", "locket.lease.duration=99999999d", "locket.redis.wait-replicas=-1",
			"locket.namespace=a{b}", "locket.namespace=a b", "locket.namespace=", "locket.lease.registry-key=a\tb",
			"locket.lease.registry-key=", "locket.leader.ttl=0s", "locket.leader.misfire-after=999ms",
			"locket.leader.misfire-after=25h", "locket.metrics.max-age=999ms", "locket.metrics.max-age=61m",
			"locket.leader.group=", "locket.leader.group=a b", "locket.dashboard.base-path=jobs",
			"locket.dashboard.base-path=/", "locket.dashboard.base-path=/a b", "locket.dashboard.base-path=/a//b" })
	void valueThatCannotWorkIsNamed(String property) {
		problems(property).singleElement().satisfies((problem) -> {
			assertThat(property).startsWith(problem.property() + "=");
			assertThat(problem.action()).startsWith("Write ");
		});
	}

	@Test
	void everyProblemIsInTheAnalysis() {
		this.contextRunner.withPropertyValues("locket.lease.duration=0s", "locket.namespace=a b").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("locket.lease.duration=0s is shorter than 1ms",
					"locket.namespace='a b' must not have braces");
			assertThat(analysis.getAction()).contains("locket.lease.duration: Write", "locket.namespace: Write");
		});
	}

	@Test
	void problemsOfJobsAreInTheirAnalysis() {
		FailureAnalysis analysis = analyze(new IllegalStateException(new InvalidUniqueJobException(
				List.of(new InvalidUniqueJobException.Problem("Bean 'a'", "It is private.", "Make it public.")))));
		assertThat(analysis.getDescription()).contains("Bean 'a': It is private.");
		assertThat(analysis.getAction()).contains("Bean 'a': Make it public.");
	}

	private ListAssert<Problem> problems(String... properties) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.contextRunner.withPropertyValues(properties).run((context) -> failure.set(context.getStartupFailure()));
		assertThat(failure.get()).hasRootCauseInstanceOf(InvalidLocketConfigurationException.class);
		Throwable cause = failure.get();
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return assertThat(((InvalidLocketConfigurationException) cause).getProblems());
	}

	private static FailureAnalysis analyze(Throwable failure) {
		assertThat(failure).isNotNull();
		return FailedStart.analyze(failure, new StandardEnvironment());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(LocketProperties.class)
	static class PropertiesConfiguration {

	}

}
