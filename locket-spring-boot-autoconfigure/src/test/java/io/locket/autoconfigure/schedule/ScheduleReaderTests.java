package io.locket.autoconfigure.schedule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.ConfiguredSchedules;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationFailureAnalyzer;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.JobTemplates;
import io.locket.lease.LeaseService;
import io.locket.queue.spi.JobQueue;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.testing.LazyInitialization;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for valid and invalid {@code locket.schedules}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ScheduleReaderTests {

	private static final String GROUP = "locket";

	private static final String GOOD = "{job: report, args: [42], every: 1m}";

	/**
	 * Invalid schedules, each with the start of its first problem.
	 */
	private static final String MISTAKES = """
			{args: [1], every: 1m}                          | .job is not set. Write the name or alias of a job
			{job: repor, args: [1], every: 1m}              | .job='repor' cannot be enqueued. There is no job 'repor'. Known jobs are [monthly, report]. A job of an interface is known after a first call by its type: enqueue(Type.class, (job) -> ...). Did you mean 'report'? Write the name or alias of a job
			{job: nothing, args: [1], every: 1m}            | .job='nothing' cannot be enqueued. There is no job 'nothing'. Known jobs are [monthly, report]. A job of an interface is known after a first call by its type: enqueue(Type.class, (job) -> ...). Write the name or alias of a job
			{job: report, args: [1]}                        |  has neither a cron expression nor an interval. Write either cron
			{job: report, args: [1], every: 1m, cron: '@daily'} | .every=1m is set beside cron
			{job: report, args: [1], every: 999ms}          | .every=999ms is not between 1s and 36500d. Write a duration from 1s to 36500d
			{job: report, args: [1], every: -5s}            | .every=-5s is not between 1s and
			{job: report, args: [1], every: 40000d}         | .every=40000d is not between
			{job: report, args: [1], cron: '30 3 * * *'}    | .cron='30 3 * * *' has 5 fields, but needs seconds as the first one: '0 30 3 * * *'. Write six fields
			{job: report, args: [1], cron: '0 0 25 * * *'}  | .cron='0 0 25 * * *' does not parse (
			{job: report, args: [1], cron: '@dayly'}        | .cron='@dayly' does not parse (
			{job: report, args: [1], cron: '0 0 0 30 2 *'}  | .cron='0 0 0 30 2 *' never fires. Write six
			{job: report, args: [1], cron: '-'}             | .cron='-' is not a cron expression. Write an expression, and enabled: false
			{job: report, args: [1], cron: '@daily', zone: europe/berlin} | .zone='europe/berlin' is not a known time zone. Write a zone such as Europe/Berlin
			{job: report, args: [1], cron: '@daily', zone: Europe/Berln} | .zone='Europe/Berln' is not a known time zone. Write a zone such as Europe/Berlin
			{job: report, args: [1], cron: '@daily', zone: Berlin} | .zone='Berlin' is not a known time zone. Write a zone such as Europe/Berlin
			{job: report, args: [1], cron: '@daily', zone: Qqqqqqq} | .zone='Qqqqqqq' is not a known time zone. Write a zone such as Europe/Berlin or UTC
			{job: report, args: [1], every: 1m, zone: UTC}  | .zone='UTC' is set beside every
			{job: report, args: [1], every: 1m, catch-up: -1s} | .catch-up=-1s is not between 0s and
			{job: report, args: [1], every: 1m, queue: 'a b'} | .queue='a b' is not a valid queue name
			{job: report, every: 1m}                        | .args=[] does not fit. Job 'report' takes 1 argument(s) (long number), but there are 0. Write a list with an argument for each parameter, in their order: long number.
			{job: report, args: [1, 2], every: 1m}          | .args=[...] does not fit. Job 'report' takes 1 argument(s) (long number), but there are 2
			{job: report, args: [many], every: 1m}          | .args=[...] does not fit. Job 'report': Argument 1 (long number)
			{job: report, args: [1], cron: '@daily', zone: PST} | .zone='PST' is not a known time zone. Write a zone such as America/Los_Angeles.
			{job: monthly, args: [2026-05, true, 1.10], every: 1m} | .args[2]=... is a number or a boolean as read by YAML, but the parameter is text. Put it in quotes
			{job: monthly, args: [2026-05, true, no], every: 1m} | .args[2]=... is a number or a boolean
			{job: monthly, args: [2026-05, true, 12:30], every: 1m} | .args[2]=... is a number or a boolean
			{job: report, args: [1], every: 1m, enabled: false, cron: x} | .every=1m is set beside cron
			""";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, UniqueJobAutoConfiguration.class,
				QueueAutoConfiguration.class, ConfiguredScheduleAutoConfiguration.class))
		.withBean(LeaseService.class, () -> mock(LeaseService.class))
		.withBean(Reports.class);

	private final ApplicationContextRunner runner = this.contextRunner
		.withBean(JobQueue.class, () -> mock(JobQueue.class))
		.withBean(JobTemplates.class);

	@Test
	void everythingThatAScheduleMaySayIsRead() {
		schedules("""
				nightly:
				  job: reports
				  cron: 0 30 3 * * MON-FRI
				  zone: Europe/Berlin
				  queue: invoices
				  args: 42
				  misfire: all
				  catch-up: 2h
				  enabled: false
				  description: Writes the report
				often: {job: report, every: 90s, args: ["7"]}
				"[eu.Nightly_2]": {job: monthly, cron: "@daily", args: [2026-05, true, "x"], misfire: skip}
				""", (context) -> assertThat(definitions(context)).containsExactly(
				new ScheduleDefinition("nightly", GROUP, "report", "[42]", "invoices", "0 30 3 * * MON-FRI", null,
						ZoneId.of("Europe/Berlin"), Misfire.ALL, Duration.ofHours(2), false, "Writes the report",
						ScheduleOrigin.CONFIGURED),
				new ScheduleDefinition("often", GROUP, "report", "[7]", null, null, Duration.ofSeconds(90),
						ZoneId.systemDefault(), Misfire.LATEST, null, true, null, ScheduleOrigin.CONFIGURED),
				new ScheduleDefinition("eu.Nightly_2", GROUP, "monthly", "[\"2026-05\",true,\"x\"]", null, "@daily",
						null, ZoneId.systemDefault(), Misfire.SKIP, null, true, null, ScheduleOrigin.CONFIGURED)));
	}

	@Test
	void schedulesAreReadAlsoIfBeansAreLazyAndNoProcessLeads() {
		this.runner
			.withPropertyValues("locket.leader.enabled=false", "locket.schedules.a.job=nobody",
					"locket.schedules.a.every=1m")
			.withInitializer(new LazyInitialization())
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void emptyTextIsNotWrittenAndTextIsTrimmed() {
		schedules("a: {job: ' report ', cron: '', every: 1m, zone: '', queue: '', args: [1], description: ''}",
				(context) -> assertThat(definitions(context)).singleElement()
					.satisfies((schedule) -> assertThat(schedule.job()).isEqualTo("report")));
	}

	@Test
	void whatCannotWorkIsNamed() {
		List<String[]> mistakes = MISTAKES.lines().map((line) -> line.split("\\s+\\| ", 2)).toList();
		StringBuilder yaml = new StringBuilder();
		for (int i = 0; i < mistakes.size(); i++) {
			yaml.append("s").append(i).append(": ").append(mistakes.get(i)[0]).append('\n');
		}
		problems(yaml.toString()).satisfies((problems) -> {
			for (int i = 0; i < mistakes.size(); i++) {
				String property = "locket.schedules.s" + i;
				String first = problems.stream()
					.filter((problem) -> (problem.property() + ".").startsWith(property + "."))
					.map(Problem::toString)
					.findFirst()
					.orElse("nothing");
				assertThat(first).startsWith(property + mistakes.get(i)[1]);
			}
		});
	}

	@Test
	void everyProblemOfEveryScheduleIsReported() {
		problems("""
				a: {cron: x, zone: y, queue: 'a b', catch-up: -1s}
				b: {job: nobody, every: 1ms, enabled: false}
				"[c.d]": {job: report, every: 1m}
				""").extracting(Problem::property)
			.containsExactly("locket.schedules.a.cron", "locket.schedules.a.catch-up", "locket.schedules.a.zone",
					"locket.schedules.a.queue", "locket.schedules.a.job", "locket.schedules.b.every",
					"locket.schedules.b.job", "locket.schedules[c.d].args");
	}

	@Test
	void argumentsAreNotInTheMessage() {
		problems("a: {job: report, args: [s3cret], every: 1m}").singleElement()
			.satisfies((problem) -> assertThat(problem.toString()).doesNotContain("s3cret"));
	}

	@Test
	void argumentsThatAreTooLargeAreNamed() {
		this.runner
			.withPropertyValues("locket.queue.max-payload=10B", "locket.schedules.a.job=monthly",
					"locket.schedules.a.every=1m", "locket.schedules.a.args=2026-05,true,long text")
			.run((context) -> assertThat(problemsOf(context.getStartupFailure())).singleElement()
				.satisfies((problem) -> assertThat(problem.toString()).startsWith("locket.schedules.a.args=")
					.contains("raise locket.queue.max-payload")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			{'ä': %s}                           | 'ä' is not a valid schedule name
			{'b c': %s}                         | 'b c' is not a valid schedule name
			{'': %s}                            | '' is not a valid schedule name
			{_: %s}                             | '_' is not a valid schedule name
			{'[a:b]': %s}                       | 'a:b' is not a valid schedule name
			{a0123456789012345678901234567890123456789: %s} | 'a0123456789012345678901234567890123456789' is not a valid
			{night-ly: %s, nightly: %s}         | [night-ly, nightly] are one name to Spring Boot
			{night_ly: %s, nightly: %s}         | [night_ly, nightly] are one name to Spring Boot
			{Nightly: %s, nightly: %s}          | [Nightly, nightly] are one name to Spring Boot
			{nightly: %s, '[nightly]': %s}      | [nightly, [nightly]] are one name to Spring Boot
			{Night_ly: %s, '[Night_ly]': %s}    | [Night_ly, [Night_ly]] are one name to Spring Boot
			""")
	void ambiguousNameIsRefusedBeforePropertiesAreBound(String schedules, String problem) {
		problems(schedules.replace("%s", GOOD)).singleElement()
			.satisfies((found) -> assertThat(found.toString()).startsWith("locket.schedules=" + problem));
	}

	@Test
	void namesThatSpringBootDistinguishesAreTwoSchedules() {
		schedules("{night_ly: %s, '[Nightly]': %s, '[night.ly]': %s}".replace("%s", GOOD),
				(context) -> assertThat(definitions(context)).extracting(ScheduleDefinition::name)
					.containsExactlyInAnyOrder("night_ly", "Nightly", "night.ly"));
	}

	@Test
	void listOrObjectAsAnArgumentIsRefusedBeforePropertiesAreBound() {
		problems("a: {job: report, every: 1m, args: [1, {x: 1}, [2, 3]]}").extracting(Problem::property)
			.containsExactly("locket.schedules.a.args[1]", "locket.schedules.a.args[2]");
	}

	@Test
	void emptyObjectAsAnArgumentIsRefusedAndEmptyTextIsNot() {
		// Spring Boot 4.0 ignores such an element, so one argument is missing.
		problems("a: {job: monthly, every: 1m, args: [2026-05, true, {}]}").extracting(Problem::property)
			.singleElement()
			.isIn("locket.schedules.a.args[2]", "locket.schedules.a.args");
		schedules("a: {job: monthly, every: 1m, args: [2026-05, true, '']}",
				(context) -> assertThat(definitions(context)).hasSize(1));
	}

	@Test
	void timeWithoutAUnitIsRefused() {
		problems("a: {job: report, args: [1], every: 3600, catch-up: 7200}").extracting(Problem::toString)
			.satisfiesExactly(
					(every) -> assertThat(every)
						.startsWith("locket.schedules.a.every=3600 has no unit and would be read as milliseconds. Write"
								+ " a duration with its unit, such as 1h or 3600s"),
					(catchUp) -> assertThat(catchUp).startsWith("locket.schedules.a.catch-up=7200 has no unit"));
		withVariables(Map.of("LOCKET_SCHEDULES_NIGHTLY_EVERY", "3600"))
			.run((context) -> assertThat(problemsOf(context.getStartupFailure())).extracting(Problem::property)
				.containsExactly("LOCKET_SCHEDULES_NIGHTLY_EVERY"));
		schedules("a: {job: report, args: [1], every: PT1H, catch-up: 0}",
				(context) -> assertThat(definitions(context)).hasSize(1));
	}

	@Test
	void timeWithoutAUnitIsAcceptedWhereItIsOverridden() {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource("defaults",
						Map.of("locket.schedules.a.job", "report", "locket.schedules.a.args", "1",
								"locket.schedules.a.every", "3600", "locket.schedules.a.catch-up", "${late:60}"))))
			.withPropertyValues("locket.schedules.a.every=1h", "late=1m")
			.run((context) -> assertThat(definitions(context)).singleElement()
				.extracting(ScheduleDefinition::every)
				.isEqualTo(Duration.ofHours(1)));
	}

	@Test
	void schedulesOfAProcessThatCannotLeadAreLoggedOnce(CapturedOutput output) {
		this.runner
			.withPropertyValues("locket.leader.enabled=false", "locket.schedules.a.every=1m",
					"locket.schedules.a.job=report", "locket.schedules.a.args=1")
			.run((context) -> assertThat(definitions(context)).hasSize(1));
		assertThat(output.getOut().split("Another process of the application must lead. Schedules: \\[a]", -1))
			.hasSize(2);
	}

	@Test
	void whatIsEmptyAndMustNotBeIsNamed() {
		schedules("a: {job: report, args: [1], every: 1m, enabled: }", (context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isNotNull();
			assertThat(failure).hasStackTraceContaining("locket.schedules.a.enabled");
		});
	}

	@Test
	void twoSchedulesOfOneNameInOneFileAreNamed() {
		schedules("nightly: " + GOOD + "\nnightly: " + GOOD, (context) -> assertThat(context.getStartupFailure())
			.hasMessageContaining("found duplicate key nightly"));
	}

	@Test
	void propertyThatIsMisspeltIsNamed() {
		schedules("a: {jop: report, every: 1m}",
				(context) -> assertThat(context.getStartupFailure())
					.hasRootCauseInstanceOf(UnboundConfigurationPropertiesException.class)
					.rootCause()
					.hasMessageContaining("locket.schedules.a.jop"));
	}

	@Test
	void variableOfTheEnvironmentChangesAScheduleHoweverThatIsWritten() {
		withVariables(Map.of("LOCKET_SCHEDULES_NIGHTLY_EVERY", "2h"))
			.withPropertyValues("locket.schedules.night-ly.job=report", "locket.schedules.night-ly.args=1",
					"locket.schedules.night-ly.every=1h")
			.run((context) -> assertThat(definitions(context)).singleElement().satisfies((schedule) -> {
				assertThat(schedule.name()).isEqualTo("night-ly");
				assertThat(schedule.every()).isEqualTo(Duration.ofHours(2));
			}));
	}

	@Test
	void variablesOfTheEnvironmentMakeAScheduleAlone() {
		withVariables(Map.of("LOCKET_SCHEDULES_NIGHTLY_EVERY", "2h", "LOCKET_SCHEDULES_NIGHTLY_JOB", "report",
				"LOCKET_SCHEDULES_NIGHTLY_ARGS_0", "7"))
			.run((context) -> assertThat(definitions(context)).singleElement().satisfies((schedule) -> {
				assertThat(schedule.name()).isEqualTo("nightly");
				assertThat(schedule.arguments()).isEqualTo("[7]");
			}));
	}

	@Test
	void asyncJobStopsStartUp() {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withPropertyValues("locket.schedules.nightly.job=background", "locket.schedules.nightly.every=1h")
			.run((context) -> assertThat(problemsOf(context.getStartupFailure())).singleElement()
				.satisfies((problem) -> {
					assertThat(problem.toString()).startsWith("locket.schedules.nightly.job='background' is @Async: ");
					assertThat(problem.action()).startsWith("Remove @Async, or move it");
				}));
	}

	@Test
	void failureAnalysisHasThePropertyAndTheRemedy() {
		schedules("nightly: {job: report, args: [1], cron: 30 3 * * *}", (context) -> {
			FailureAnalysis analysis = new InvalidLocketConfigurationFailureAnalyzer(new StandardEnvironment())
				.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("- locket.schedules.nightly.cron='30 3 * * *' has 5 fields");
			assertThat(analysis.getAction()).contains("- locket.schedules.nightly.cron: Write six fields");
		});
	}

	@Test
	void schedulesWithoutAQueueAreLogged(CapturedOutput output) {
		this.contextRunner.withPropertyValues("locket.schedules.a.every=1m", "locket.schedules.a.job=report")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(definitions(context)).isEmpty();
			});
		assertThat(output).contains("no schedule of locket.schedules fires from this process. Schedules: [a]");
	}

	@Test
	void withoutSchedulesThereIsNothingToTell(CapturedOutput output) {
		this.contextRunner.run((context) -> assertThat(definitions(context)).isEmpty());
		assertThat(output).doesNotContain("locket.schedules");
	}

	private ApplicationContextRunner withVariables(Map<String, Object> variables) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
	}

	private static List<ScheduleDefinition> definitions(ConfigurableApplicationContext context) {
		return context.getBean(ConfiguredSchedules.class).definitions();
	}

	private void schedules(String yaml, Consumer<AssertableApplicationContext> consumer) {
		String text = "locket:\n  schedules:\n" + yaml.indent(4);
		this.runner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("test", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).run(consumer::accept);
	}

	private ListAssert<Problem> problems(String yaml) {
		Throwable[] failure = new Throwable[1];
		schedules(yaml, (context) -> failure[0] = context.getStartupFailure());
		return assertThat(problemsOf(failure[0]));
	}

	private static List<Problem> problemsOf(Throwable failure) {
		assertThat(failure).isNotNull();
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		assertThat(cause).isInstanceOf(InvalidLocketConfigurationException.class);
		return ((InvalidLocketConfigurationException) cause).getProblems();
	}

	static class Reports {

		@UniqueJob(name = "report", aliases = "reports")
		public void write(long number) {
			throw new IllegalStateException("Report without a worker " + number);
		}

		@UniqueJob(name = "monthly", lock = LockStrategy.NONE)
		public void write(YearMonth month, boolean last, String text) {
			throw new IllegalStateException("Report without a worker " + month + last + text);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncConfiguration {

		@Bean
		Background background() {
			return new Background();
		}

	}

	static class Background {

		@Async
		@UniqueJob(name = "background")
		public void run() {
		}

	}

}
