package io.locket.autoconfigure.properties;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.aop.call.OnLost;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.autoconfigure.job.JobSettingsMapper;
import io.locket.job.definition.JobSettings;
import io.locket.job.definition.StrategySettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.WorkerThreads;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for the properties of queues, retries and workers, and for
 * {@link QueuePropertiesValidator} and {@link WorkerPropertiesValidator}.
 */
class QueuePropertiesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(PropertiesConfiguration.class);

	@Test
	void defaultsAreThoseOfTheDesign() {
		this.contextRunner.run((context) -> {
			LocketProperties properties = context.getBean(LocketProperties.class);
			assertThat(properties.getJob().getOnDuplicate().strategy()).isEqualTo(DuplicateStrategy.REJECT);
			assertThat(properties.getLease().getOnLost().getQueued()).isEqualTo(OnLost.INTERRUPT);
			assertThat(properties.getQueue().getDefaultName()).isEqualTo("default");
			assertThat(properties.getQueue().getMaxPayload()).isEqualTo(DataSize.ofKilobytes(256));
			assertThat(properties.getQueues()).isEmpty();
			assertThat(properties.getRetry().getMax()).isEqualTo(5);
			assertThat(properties.getRetry().getMaxReclaims()).isEqualTo(3);
			assertThat(properties.getRetry().getBackoff().getInitial()).isEqualTo(Duration.ofSeconds(15));
			assertThat(properties.getRetry().getBackoff().getMultiplier()).isEqualTo(2);
			assertThat(properties.getRetry().getBackoff().getMax()).isEqualTo(Duration.ofHours(1));
			assertThat(properties.getRetry().getBackoff().getJitter()).isEqualTo(0.1);
			assertThat(properties.getDead().getMaxAge()).isEqualTo(Duration.ofDays(30));
			assertThat(properties.getDead().getMaxSize()).isEqualTo(10000);
			assertThat(properties.getHistory().getMaxAge()).isEqualTo(Duration.ofHours(1));
			assertThat(properties.getHistory().getMaxSize()).isEqualTo(1000);
			WorkerProperties worker = properties.getWorker();
			assertThat(worker.isEnabled()).isTrue();
			assertThat(worker.getQueues()).isEmpty();
			assertThat(worker.getShutdownGrace()).isEqualTo(Duration.ofSeconds(30));
			assertThat(WorkerGroupSpec.of(worker)).isEmpty();
		});
	}

	@Test
	void everyPropertyBinds() {
		yaml("""
				locket:
				  lease.on-lost.queued: notify
				  job: {on-duplicate: raise, unique-for: 2h}
				  queue: {default-name: "Mine", max-payload: 1MB}
				  queues:
				    invoices: {lock: until-executed, on-duplicate: replace, on-conflict: reschedule, max-running: 3, unique-for: 5m}
				    "[eu.Mails:2]": {max-running: 4}
				  retry:
				    max: 0
				    max-reclaims: 0
				    backoff: {initial: 1s, multiplier: 1, max: 1s, jitter: 0}
				  dead: {max-age: 1d, max-size: 0}
				  history: {max-age: 1s, max-size: 0}
				""")
			.run((context) -> {
				LocketProperties properties = context.getBean(LocketProperties.class);
				assertThat(properties.getQueues()).containsOnlyKeys("invoices", "eu.Mails:2");
				assertThat(properties.getQueues().get("invoices").getMaxRunning()).isEqualTo(3);
				JobSettings settings = JobSettingsMapper.map(properties);
				assertThat(settings.defaultQueue()).isEqualTo("Mine");
				assertThat(settings.retries()).isZero();
				assertThat(settings.strategies()).isEqualTo(new StrategySettings(LockStrategy.WHILE_EXECUTING,
						DuplicateStrategy.RAISE, ConflictStrategy.DEFAULT, Duration.ofHours(2)));
				assertThat(settings.queues().get("invoices"))
					.isEqualTo(new StrategySettings(LockStrategy.UNTIL_EXECUTED, DuplicateStrategy.REPLACE,
							ConflictStrategy.RESCHEDULE, Duration.ofMinutes(5)));
				assertThat(settings.queues().get("eu.Mails:2")).isEqualTo(StrategySettings.NONE);
			});
	}

	@Test
	void groupsTakeWhatTheyLeaveOpenFromTheWorker() {
		yaml("""
				locket.worker:
				  queues: high, default, low
				  concurrency: 10
				  batch: 2
				  groups:
				    reports:
				      order: weighted
				      queues: [monthly=5, daily = 3, adhoc]
				      concurrency: 2
				      batch-hold: 20ms
				      poll-interval: 5s
				    mails:
				      queues:
				        - mails
				""").run((context) -> {
			List<WorkerGroupSpec> groups = WorkerGroupSpec.of(context.getBean(LocketProperties.class).getWorker());
			assertThat(groups).extracting(WorkerGroupSpec::name).containsExactly("default", "reports", "mails");
			WorkerGroupSpec main = groups.get(0);
			assertThat(main.queues()).extracting(ServedQueue::name).containsExactly("high", "default", "low");
			assertThat(main.order()).isEqualTo(QueueOrder.STRICT);
			assertThat(main.concurrency()).isEqualTo(10);
			WorkerGroupSpec reports = groups.get(1);
			assertThat(reports.queues()).extracting(ServedQueue::name).containsExactly("monthly", "daily", "adhoc");
			assertThat(reports.queues()).extracting(ServedQueue::weight).containsExactly(5, 3, 1);
			assertThat(reports.order()).isEqualTo(QueueOrder.WEIGHTED);
			assertThat(reports.concurrency()).isEqualTo(2);
			assertThat(reports.batch()).isEqualTo(2);
			assertThat(reports.batchHold()).isEqualTo(Duration.ofMillis(20));
			assertThat(reports.pollInterval()).isEqualTo(Duration.ofSeconds(5));
			assertThat(reports.threads()).isNull();
			assertThat(groups.get(2).batchHold()).isEqualTo(Duration.ofMillis(100));
			assertThat(groups.get(2).pollInterval()).isEqualTo(Duration.ofSeconds(2));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "locket.queue.default-name=a b", "locket.queue.default-name=",
			"locket.queue.max-payload=0B", "locket.queue.max-payload=65MB", "locket.queues.a.max-running=-1",
			"locket.job.unique-for=0s", "locket.queues.a.unique-for=-1h", "locket.retry.max=-1",
			"locket.retry.max=1001", "locket.retry.max-reclaims=-1", "locket.retry.backoff.initial=0s",
			"locket.retry.backoff.max=1s", "locket.retry.backoff.multiplier=0.5", "locket.retry.backoff.multiplier=NaN",
			"locket.retry.backoff.jitter=1.1", "locket.retry.backoff.jitter=-0.1", "locket.dead.max-age=0",
			"locket.dead.max-size=-1", "locket.history.max-age=-1s", "locket.history.max-size=-1",
			"locket.history.attempts=-1", "locket.history.attempts=101", "locket.worker.shutdown-grace=-1s",
			"locket.worker.shutdown-grace=2h", "locket.worker.concurrency=0", "locket.worker.concurrency=1001",
			"locket.worker.batch=0", "locket.worker.batch-hold=0s", "locket.worker.batch-hold=2m",
			"locket.worker.poll-interval=1ms", "locket.worker.poll-interval=2m", "locket.worker.queues=a b",
			"locket.worker.queues=a,b,a", "locket.worker.queues=a=2", "locket.worker.queues=a=",
			"locket.worker.groups.mine.batch=-1", "locket.worker.groups.mine.queues=a=0",
			"locket.worker.groups.mine.queues=a=1001", "locket.worker.groups.mine.queues=a=many",
			"locket.worker.groups.mine.queues=a=", "locket.worker.groups.mine.queues=" })
	void valueThatCannotWorkIsNamed(String property) {
		String groupWithQueues = property.startsWith("locket.worker.groups.mine.batch")
				? "locket.worker.groups.mine.queues=a" : "locket.worker.groups.mine.order=weighted";
		String other = property.startsWith("locket.worker.groups.") ? groupWithQueues : "locket.enabled=true";
		problems(property, other).singleElement().satisfies((problem) -> {
			assertThat(property).startsWith(problem.property() + "=");
			assertThat(problem.action()).startsWith("Write ");
		});
	}

	@Test
	void queueOfAnIllFormedNameIsNamed() {
		problems("locket.queues[a b].max-running=1").singleElement()
			.satisfies((problem) -> assertThat(problem.toString())
				.startsWith("locket.queues='a b' is not a valid queue name. Write 1 to 100 letters"));
	}

	@Test
	void groupOfTheNameOfTheFirstOneIsNamed() {
		problems("locket.worker.queues=a", "locket.worker.groups.default.queues=b").singleElement()
			.satisfies((problem) -> assertThat(problem.toString())
				.startsWith("locket.worker.groups.default='default' is the name of the group that serves"));
		this.contextRunner.withPropertyValues("locket.worker.groups.default.queues=b")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void virtualThreadsNeedALaterJava() {
		WorkerProperties worker = new WorkerProperties();
		worker.setThreads(WorkerThreads.VIRTUAL);
		PropertyProblems problems = new PropertyProblems();
		new WorkerPropertiesValidator(worker, problems, 21).validate();
		problems.throwIfAny();
		new WorkerPropertiesValidator(worker, problems, 17).validate();
		InvalidLocketConfigurationException failure = catchThrowableOfType(InvalidLocketConfigurationException.class,
				problems::throwIfAny);
		assertThat(failure).hasMessageContaining("locket.worker.threads=virtual needs Java 21, and this is Java 17");
	}

	@Test
	void inheritedValueIsReportedOnceWhenSeveralGroupsHaveIt() {
		problems("locket.worker.queues=a", "locket.worker.concurrency=0", "locket.worker.groups.reports.queues=b",
				"locket.worker.groups.mails.queues=c", "locket.worker.groups.mails.concurrency=-1")
			.extracting(Problem::toString)
			.containsExactly("locket.worker.concurrency=0 is not between 1 and 1000. Write a number from 1 to 1000.",
					"locket.worker.groups.mails.concurrency=-1 is not between 1 and 1000."
							+ " Write a number from 1 to 1000.");
		problems("locket.worker.poll-interval=1ms", "locket.worker.groups.reports.queues=b").singleElement()
			.satisfies((problem) -> assertThat(problem.property()).isEqualTo("locket.worker.poll-interval"));
	}

	@Test
	void inheritedThreadsAreReportedOnceWhenTheyNeedALaterJava() {
		WorkerProperties worker = new WorkerProperties();
		worker.setThreads(WorkerThreads.VIRTUAL);
		worker.setQueues(List.of("default"));
		WorkerProperties.Group reports = new WorkerProperties.Group();
		reports.setQueues(List.of("reports"));
		worker.getGroups().put("reports", reports);
		PropertyProblems problems = new PropertyProblems();
		new WorkerPropertiesValidator(worker, problems, 17).validate();
		InvalidLocketConfigurationException failure = catchThrowableOfType(InvalidLocketConfigurationException.class,
				problems::throwIfAny);
		assertThat(failure.getProblems()).extracting(Problem::property).containsExactly("locket.worker.threads");
	}

	private ApplicationContextRunner yaml(String text) {
		return this.contextRunner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader().load("test", new ByteArrayResource(text.getBytes()))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private ListAssert<Problem> problems(String... properties) {
		Throwable[] failure = new Throwable[1];
		this.contextRunner.withPropertyValues(properties).run((context) -> failure[0] = context.getStartupFailure());
		assertThat(failure[0]).hasRootCauseInstanceOf(InvalidLocketConfigurationException.class);
		Throwable cause = failure[0];
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return assertThat(((InvalidLocketConfigurationException) cause).getProblems());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(LocketProperties.class)
	static class PropertiesConfiguration {

	}

}
