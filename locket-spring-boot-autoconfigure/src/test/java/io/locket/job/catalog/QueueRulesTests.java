package io.locket.job.catalog;

import java.util.List;
import java.util.Optional;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.job.definition.InvalidUniqueJobException.Problem;
import io.locket.key.ArgumentsKeyGenerator;
import io.locket.queue.spi.JobQueue;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for declarations about queues that stop start-up, and for the suggested
 * alternatives.
 */
class QueueRulesTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(JobQueue.class, () -> mock(JobQueue.class));

	@Test
	void conflictStrategiesThatTheLockStrategyCannotServe() {
		problemsOf(Conflicts.class).satisfiesExactlyInAnyOrder((problem) -> assertProblem(problem, "losingUpdates",
				"UNTIL_AND_WHILE_EXECUTING with onConflict = REJECT", "write PARK, RAISE, or WAIT with waitFor"),
				(problem) -> assertProblem(problem, "waitingInVain", "nothing to WAIT for", "WHILE_EXECUTING"),
				(problem) -> assertProblem(problem, "parkingInVain", "nothing to PARK for", "WHILE_EXECUTING"),
				(problem) -> assertProblem(problem, "raisingInVain",
						"onConflict = RAISE has no effect with UNTIL_EXECUTING",
						"Write onDuplicate = RAISE, for jobs that wait, or use WHILE_EXECUTING."),
				(problem) -> assertProblem(problem, "rejectingInVain",
						"onConflict = REJECT has no effect with UNTIL_EXECUTING", "Write onDuplicate = REJECT"),
				(problem) -> assertProblem(problem, "raisingOrdinary", "onConflict = RAISE has no effect with NONE",
						"Leave onConflict out"),
				(problem) -> assertProblem(problem, "parkingPeriod", "UNTIL_EXPIRED cannot PARK",
						"Write onConflict = REJECT or onConflict = RAISE."),
				(problem) -> assertProblem(problem, "reschedulingPeriod", "UNTIL_EXPIRED cannot RESCHEDULE",
						"Write onConflict = REJECT or onConflict = RAISE."),
				(problem) -> assertProblem(problem, "waitingPeriod", "UNTIL_EXPIRED cannot WAIT",
						"Write onConflict = REJECT or onConflict = RAISE."));
	}

	@Test
	void argumentsWhoseTypeNoClassSettles() {
		problemsOf(RawBatch.class).singleElement()
			.satisfies((problem) -> assertProblem(problem, "process",
					"Argument 1 (T item) of QueueRulesTests.Batch.process cannot be queued",
					"let the bean's class resolve it"));
		this.contextRunner.withBean("jobs", Numbers.class).run((context) -> assertThat(context).hasNotFailed());
		GuardedContext.runner().withBean("jobs", RawBatch.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void configuredRejectLosesUpdatesToo() {
		for (String property : new String[] { "locket.job.on-conflict=reject",
				"locket.queues.default.on-conflict=reject" }) {
			this.contextRunner.withPropertyValues(property)
				.withBean("jobs", Updates.class)
				.run((context) -> problems(context.getStartupFailure()).singleElement()
					.satisfies((problem) -> assertProblem(problem, "update",
							"onConflict = REJECT (from " + property.substring(0, property.indexOf('=')) + ")",
							"Write onConflict = PARK, RAISE, or WAIT with waitFor; or use UNTIL_EXECUTED.")));
		}
	}

	@Test
	void refusedStrategyOfAPropertyIsReportedWithIt() {
		this.contextRunner.withPropertyValues("locket.queues.default.lock=until-expired")
			.withBean("jobs", Updates.class)
			.run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withPropertyValues("locket.queues.default.lock=until-expired", "locket.job.on-conflict=wait")
			.withBean("jobs", Ordinary.class)
			.run((context) -> problems(context.getStartupFailure()).satisfiesExactlyInAnyOrder(
					(problem) -> assertProblem(problem, "run",
							"UNTIL_EXPIRED (from locket.queues.default.lock) has no period", "uniqueFor"),
					(problem) -> assertProblem(problem, "run",
							"UNTIL_EXPIRED (from locket.queues.default.lock) cannot WAIT (from locket.job.on-conflict)",
							"Write onConflict")));
		this.contextRunner.withPropertyValues("locket.job.on-conflict=wait")
			.withBean("jobs", Ordinary.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "run",
						"WAIT (from locket.job.on-conflict) without waitFor", "or another onConflict")));
	}

	@Test
	void returnTypesThatCannotTellThatTheCallWasEnqueued() {
		problemsOf(Results.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "number",
						"A call that PARK enqueues would have to return a value of type int",
						"onConflict = RAISE, or WAIT with waitFor"),
				(problem) -> assertProblem(problem, "text", "A call that RESCHEDULE enqueues would have to return a",
						"or return void or an Optional"));
	}

	@Test
	void keyGeneratorHasNoEffectWhenTheJobIsNotLocked() {
		this.contextRunner.withBean("generator", ArgumentsKeyGenerator.class)
			.withBean("jobs", Generated.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "run",
						"keyGenerator has no effect with NONE, which has no key.", "Leave it out")));
	}

	@Test
	void keyIsAllowedWhenOnlyTheConfigurationLeavesTheJobUnlocked() {
		this.contextRunner.withPropertyValues("locket.job.lock=none")
			.withBean("jobs", Keyed.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void attributesWithoutEffect() {
		problemsOf(NoEffect.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "delayed", "rescheduleAfter has no effect with onConflict = PARK",
						"Write onConflict = RESCHEDULE"),
				(problem) -> assertProblem(problem, "delayedByDefault",
						"rescheduleAfter has no effect with onConflict = PARK and REJECT, the defaults",
						"Write onConflict = RESCHEDULE"),
				(problem) -> assertProblem(problem, "replacing",
						"onDuplicate = REPLACE has no effect with WHILE_EXECUTING", "UNTIL_EXECUTED"),
				(problem) -> assertProblem(problem, "raising", "onDuplicate = RAISE has no effect with NONE",
						"Leave onDuplicate out"),
				(problem) -> assertProblem(problem, "keyed", "key has no effect with NONE, which has no key.",
						"Leave it out, or use WHILE_EXECUTING."),
				(problem) -> assertProblem(problem, "once", "uniqueFor has no effect with WHILE_EXECUTING.",
						"Leave it out, or use UNTIL_EXPIRED; or"),
				(problem) -> assertProblem(problem, "onceUnlocked", "uniqueFor has no effect with NONE.",
						"Leave it out, or use UNTIL_EXPIRED; or"),
				(problem) -> assertProblem(problem, "bounded", "maxDelay has no effect with onDuplicate = REJECT",
						"Write onDuplicate = REPLACE"),
				(problem) -> assertProblem(problem, "boundedInVain", "maxDelay has no effect with WHILE_EXECUTING",
						"with onDuplicate = REPLACE"));
	}

	@Test
	void values() {
		problemsOf(Values.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "queue", "queue = \"in voices\" is not a valid queue name",
						"Write 1 to 100 letters"),
				(problem) -> assertProblem(problem, "often", "retries = \"often\" is not a number from 0 to 1000",
						"Write one such as \"5\""),
				(problem) -> assertProblem(problem, "negative", "retries = \"-1\" is not a number", "\"5\""),
				(problem) -> assertProblem(problem, "endless", "retries = \"1001\" is not a number", "\"5\""),
				(problem) -> assertProblem(problem, "backoff", "backoff = \"0s\" is zero", "1ms or more"),
				(problem) -> assertProblem(problem, "timeout", "timeout = \"soon\" is not a duration", "\"35s\""),
				(problem) -> assertProblem(problem, "alias", "aliases = \" \" is blank", "leave the attribute out"),
				(problem) -> assertProblem(problem, "brief", "leaseFor is 5s", "Write 6s or more"));
	}

	@Test
	void aliasThatIsTaken() {
		problemsOf(Aliases.class).satisfiesExactlyInAnyOrder((problem) -> assertProblem(problem, "second",
				"The alias 'first' is taken by Bean 'jobs', method QueueRulesTests.Aliases.first(), as its name.",
				"Leave this alias out, or give that job another name."), (problem) -> {
					assertProblem(problem, "", "The alias 'former' is taken by Bean 'jobs'",
							"Leave the alias out of one of them");
					assertThat(problem.description()).endsWith(", as an alias.");
				});
	}

	@Test
	void callsThatNoQueueCanTake() {
		GuardedContext.runner()
			.withBean("jobs", Parking.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "park", "as PARK requires: there is no JobQueue bean.",
						"Configure spring.data.redis.* with locket-spring-boot-starter, or write onConflict = REJECT,"
								+ " RAISE, or WAIT with waitFor.")));
		GuardedContext.runner()
			.withPropertyValues("locket.lease.store=lock-registry")
			.withBean("jobs", Parking.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "park", "locket.lease.store=lock-registry",
						"Use locket.lease.store=redis")));
	}

	@Test
	void enqueuedCallsThatAnotherBeanWouldRun() {
		this.contextRunner.withBean("jobs", SharedParking.class)
			.withBean("others", OtherParking.class, OtherParking::new, (definition) -> definition.setPrimary(true))
			.run((context) -> problems(context.getStartupFailure()).hasSize(2)
				.allSatisfy((problem) -> assertThat(problem.toString()).contains(
						"beans of several classes have the name 'shared'",
						"Give each of them a name of its own, or write onConflict = REJECT, RAISE, or WAIT with waitFor.")));
	}

	@Test
	void enqueuedCallsThatNoWorkerCanRun() {
		this.contextRunner.withUserConfiguration(AsyncConfiguration.class)
			.withBean("jobs", Late.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "park",
						"but no worker can run it, because the method is @Async: its body would run on another thread, and"
								+ " its queued run would end at once.",
						"Remove @Async, or move it to a method of another bean that calls the job, or write"
								+ " onConflict = REJECT, RAISE, or WAIT with waitFor.")));
	}

	@Test
	void everyAttributeOfQueuedRunsHasItsPlace() {
		this.contextRunner.withBean("jobs", Good.class).run((context) -> assertThat(context).hasNotFailed());
	}

	private ListAssert<Problem> problemsOf(Class<?> bean) {
		Throwable[] failure = new Throwable[1];
		this.contextRunner.withBean("jobs", bean).run((context) -> failure[0] = context.getStartupFailure());
		return problems(failure[0]);
	}

	private static ListAssert<Problem> problems(Throwable failure) {
		assertThat(failure).isInstanceOf(InvalidUniqueJobException.class);
		return assertThat(((InvalidUniqueJobException) failure).getProblems());
	}

	private static void assertProblem(Problem problem, String method, String description, String action) {
		assertThat(problem.subject()).startsWith("Bean 'jobs'").contains(method + "(");
		assertThat(problem.description()).contains(description);
		assertThat(problem.action()).contains(action);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncConfiguration {

	}

	static class Late {

		@Async
		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public void park() {
		}

		@Async
		@UniqueJob
		public void skip() {
		}

	}

	static class Conflicts {

		@UniqueJob(lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING, onConflict = ConflictStrategy.REJECT)
		public void losingUpdates() {
		}

		@UniqueJob(lock = LockStrategy.NONE, onConflict = ConflictStrategy.WAIT, waitFor = "1s")
		public void waitingInVain() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, onConflict = ConflictStrategy.PARK)
		public void parkingInVain() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, onConflict = ConflictStrategy.RAISE)
		public void raisingInVain() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, onConflict = ConflictStrategy.REJECT)
		public void rejectingInVain() {
		}

		@UniqueJob(lock = LockStrategy.NONE, onConflict = ConflictStrategy.RAISE)
		public void raisingOrdinary() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h", onConflict = ConflictStrategy.PARK)
		public void parkingPeriod() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h", onConflict = ConflictStrategy.RESCHEDULE)
		public void reschedulingPeriod() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h", onConflict = ConflictStrategy.WAIT,
				waitFor = "1s")
		public void waitingPeriod() {
		}

	}

	static class Updates {

		@UniqueJob(lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING)
		public void update() {
		}

	}

	static class Ordinary {

		@UniqueJob
		public void run() {
		}

	}

	static class Generated {

		@UniqueJob(lock = LockStrategy.NONE, keyGenerator = "generator")
		public void run(long id) {
		}

	}

	static class Keyed {

		@UniqueJob(key = "#id")
		public void run(long id) {
		}

	}

	static class Results {

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public int number() {
			return 0;
		}

		@UniqueJob(onConflict = ConflictStrategy.RESCHEDULE)
		public String text() {
			return "";
		}

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public Optional<String> fine() {
			return Optional.empty();
		}

	}

	static class NoEffect {

		@UniqueJob(onConflict = ConflictStrategy.PARK, rescheduleAfter = "1s")
		public void delayed() {
		}

		@UniqueJob(rescheduleAfter = "1s")
		public void delayedByDefault() {
		}

		@UniqueJob(onDuplicate = DuplicateStrategy.REPLACE)
		public void replacing() {
		}

		@UniqueJob(lock = LockStrategy.NONE, onDuplicate = DuplicateStrategy.RAISE)
		public void raising() {
		}

		@UniqueJob(lock = LockStrategy.NONE, key = "#id")
		public void keyed(long id) {
		}

		@UniqueJob(lock = LockStrategy.WHILE_EXECUTING, uniqueFor = "1h")
		public void once() {
		}

		@UniqueJob(lock = LockStrategy.NONE, uniqueFor = "1h")
		public void onceUnlocked() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, maxDelay = "1m")
		public void bounded() {
		}

		@UniqueJob(maxDelay = "1m")
		public void boundedInVain() {
		}

	}

	static class Values {

		@UniqueJob(queue = "in voices")
		public void queue() {
		}

		@UniqueJob(retries = "often")
		public void often() {
		}

		@UniqueJob(retries = "-1")
		public void negative() {
		}

		@UniqueJob(retries = "1001")
		public void endless() {
		}

		@UniqueJob(backoff = "0s")
		public void backoff() {
		}

		@UniqueJob(timeout = "soon")
		public void timeout() {
		}

		@UniqueJob(aliases = { " ", "fine" })
		public void alias() {
		}

		@UniqueJob(lock = LockStrategy.NONE, leaseFor = "5s")
		public void brief() {
		}

	}

	static class Aliases {

		@UniqueJob(name = "first", aliases = "first")
		public void first() {
		}

		@UniqueJob(name = "second", aliases = "first")
		public void second() {
		}

		@UniqueJob(name = "third", aliases = { "former", "older" })
		public void third() {
		}

		@UniqueJob(name = "fourth", aliases = "former")
		public void fourth() {
		}

	}

	static class Parking {

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public void park() {
		}

	}

	static class SharedParking {

		@UniqueJob(name = "shared", onConflict = ConflictStrategy.PARK)
		public void park() {
		}

	}

	static class OtherParking extends SharedParking {

		@Override
		public void park() {
		}

	}

	static class Good {

		@UniqueJob(queue = "a.B_c-1:2", aliases = { "old", "older" }, lock = LockStrategy.UNTIL_EXECUTED,
				onDuplicate = DuplicateStrategy.REPLACE, onConflict = ConflictStrategy.RESCHEDULE,
				rescheduleAfter = "1s", maxDelay = "1h", retries = "0", backoff = "1s",
				noRetryFor = IllegalArgumentException.class, timeout = "1h", uniqueFor = "1d")
		public void everything() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h", onDuplicate = DuplicateStrategy.REPLACE,
				maxDelay = "1h", leaseFor = "1m")
		public void period() {
		}

		@UniqueJob(lock = LockStrategy.NONE, leaseFor = "1m", retries = "1000")
		public List<String> ordinary() {
			return List.of();
		}

	}

	static class Batch<T> {

		@UniqueJob
		public void process(T item) {
			throw new IllegalStateException("Unexpected run");
		}

	}

	@SuppressWarnings("rawtypes")
	static class RawBatch extends Batch {

	}

	static class Numbers extends Batch<Long> {

	}

}
