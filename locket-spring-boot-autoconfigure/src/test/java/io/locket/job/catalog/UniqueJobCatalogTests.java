package io.locket.job.catalog;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.job.definition.InvalidUniqueJobException.Problem;
import io.locket.key.JobKeyGenerator;
import kotlin.coroutines.Continuation;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.PriorityOrdered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for declarations that stop start-up, and for the suggested alternatives.
 */
@ExtendWith(OutputCaptureExtension.class)
class UniqueJobCatalogTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner();

	@Test
	void methodThatNoProxyCanGuard() {
		problemsOf(UnguardableMethods.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "hidden", "is private", "Make it public"),
				(problem) -> assertProblem(problem, "guarded", "is not public", "Make it public"),
				(problem) -> assertProblem(problem, "packaged", "is not public", "Make it public"),
				(problem) -> assertProblem(problem, "shared", "is static", "public instance method"),
				(problem) -> assertProblem(problem, "sealed", "is final", "Remove 'final'"),
				(problem) -> assertProblem(problem, "suspending", "suspend", "Mono or a CompletableFuture"));
	}

	@Test
	void finalClass() {
		problemsOf(FinalClass.class).singleElement()
			.satisfies((problem) -> assertProblem(problem, "run", "FinalClass is final", "Remove 'final'"));
	}

	@Test
	void finalClassThatOnlyItsCreationShows() {
		this.contextRunner.withUserConfiguration(HiddenJobs.class).run((context) -> {
			for (int i = 0; i < 2; i++) {
				lateProblems(context, "finalJob").singleElement()
					.satisfies((problem) -> assertProblem(problem, "run", "FinalRunnable is final", "Remove 'final'"));
			}
		});
	}

	@Test
	void takenNameThatOnlyTheCreationOfItsBeanShows() {
		this.contextRunner.withUserConfiguration(HiddenJobs.class)
			.withBean("first", FirstNamed.class)
			.run((context) -> lateProblems(context, "second").singleElement()
				.satisfies((problem) -> assertThat(problem.description())
					.isEqualTo("The name 'same' is taken by Bean 'first', method"
							+ " UniqueJobCatalogTests.FirstNamed.run(), as its name.")));
	}

	@Test
	void methodsThatOnlyTheCreationOfTheirBeanShows() {
		this.contextRunner.withUserConfiguration(HiddenJobs.class)
			.run((context) -> lateProblems(context, "unguardable").satisfiesExactlyInAnyOrder(
					(problem) -> assertProblem(problem, "hidden", "is private", "Make it public"),
					(problem) -> assertProblem(problem, "sealed", "is final", "Remove 'final'")));
	}

	private static ListAssert<Problem> lateProblems(ApplicationContext context, String bean) {
		BeanCreationException failure = catchThrowableOfType(BeanCreationException.class, () -> context.getBean(bean));
		return problems(failure.getCause());
	}

	@Test
	void finalClassIsFineBehindItsInterface() {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("jobs", Runnable.class, FinalRunnable::new)
			.run((context) -> {
				context.getBean("jobs", Runnable.class).run();
				assertThat(GuardedContext.leases(context).requests()).hasSize(1);
			});
	}

	@Test
	void methodThatNoInterfaceDeclares() {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("jobs", Runnable.class, OffInterface::new)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "other", "none of them declares the method",
						"spring.aop.proxy-target-class=true")));
	}

	@Test
	void overloadsOfOneName() {
		problemsOf(Overloads.class).singleElement()
			.satisfies((problem) -> assertProblem(problem, "run", "The name 'jobs.run' is taken by Bean 'jobs'",
					"Write a name of its own"));
	}

	@Test
	void jobsOfTwoBeansWithOneName() {
		this.contextRunner.withBean("first", FirstNamed.class)
			.withBean("second", SecondNamed.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertThat(problem.description()).contains("'same' is taken")));
	}

	@Test
	void prototypesOfOneClass() {
		this.contextRunner.withUserConfiguration(Prototypes.class)
			.run((context) -> problems(context.getStartupFailure()).hasSize(2)
				.allSatisfy(
						(problem) -> assertProblem(problem, "run", "several beans share a class", "name = \"run\"")));
	}

	@Test
	void waits() {
		problemsOf(Waits.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "unbounded", "WAIT without waitFor", "waitFor = \"10s\""),
				(problem) -> assertProblem(problem, "zero", "waitFor = \"0s\" is zero", "1ms or more"),
				(problem) -> assertProblem(problem, "pointless", "no effect with onConflict = RAISE",
						"onConflict = WAIT"),
				(problem) -> assertProblem(problem, "queued", "nothing to WAIT for", "WHILE_EXECUTING"));
	}

	@Test
	void strategies() {
		problemsOf(Strategies.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "noPeriod", "UNTIL_EXPIRED has no period", "uniqueFor = \"1h\""),
				(problem) -> assertProblem(problem, "waitingPeriod", "UNTIL_EXPIRED cannot WAIT", "REJECT or"),
				(problem) -> assertProblem(problem, "losingUpdates",
						"UNTIL_AND_WHILE_EXECUTING with onConflict = REJECT", "Leave onConflict out"),
				(problem) -> assertProblem(problem, "noHold", "holdAtLeast has no effect with NONE", "Leave it out"));
	}

	@Test
	void waitForNeedsAStrategyThatWaits() {
		problemsOf(WaitsWithoutWait.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "undeclared", "no effect with onConflict = REJECT",
						"onConflict = WAIT"),
				(problem) -> assertProblem(problem, "period", "waitFor has no effect with UNTIL_EXPIRED",
						"Leave it out"));
		this.contextRunner.withPropertyValues("locket.job.on-conflict=wait")
			.withBean("jobs", UndeclaredWait.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void defaultWaitNeedsABound() {
		this.contextRunner.withPropertyValues("locket.job.on-conflict=wait")
			.withBean("jobs", FirstNamed.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "run", "without waitFor", "waitFor")));
	}

	@Test
	void durations() {
		problemsOf(Durations.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "unparsable", "leaseFor = \"soon\" is not a duration", "\"35s\""),
				(problem) -> assertProblem(problem, "negative", "holdAtLeast = \"-1s\" is negative", "1ms or more"),
				(problem) -> assertProblem(problem, "unitless", "holdAtLeast = \"5\" has no unit",
						"Write \"5s\" or \"5ms\"."),
				(problem) -> assertProblem(problem, "zero", "leaseFor = \"0\" is zero", "1ms or more"),
				(problem) -> assertProblem(problem, "endless", "uniqueFor = \"99999999999d\"", ""),
				(problem) -> assertProblem(problem, "tooShort", "leaseFor is 5s", "Write 6s or more"),
				(problem) -> assertProblem(problem, "missing", "cannot be resolved", "${name:default}"),
				(problem) -> assertProblem(problem, "blank", "blank once resolved", "leave the attribute out"));
	}

	@Test
	void returnTypes() {
		problemsOf(ReturnTypes.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "number", "return a value of type int that was not computed",
						"onConflict = RAISE, or WAIT with waitFor, or return void or an Optional"),
				(problem) -> assertProblem(problem, "text", "return a value of type String",
						"RAISE, or WAIT with waitFor"),
				(problem) -> assertProblem(problem, "future", "behind a returned Future would outlive",
						"CompletableFuture"),
				(problem) -> assertProblem(problem, "stream", "Stream would outlive", "the finished value"),
				(problem) -> assertProblem(problem, "publisher", "Publisher would outlive", "a Mono, a Flux"),
				(problem) -> assertProblem(problem, "flow", "Publisher would outlive", "a Mono, a Flux"),
				(problem) -> assertProblem(problem, "callable", "Callable would outlive", "the finished value"),
				(problem) -> assertProblem(problem, "special", "SpecialFuture would outlive", "CompletableFuture"));
	}

	@Test
	void returnTypesOfALockRegistry() {
		this.contextRunner.withPropertyValues("locket.lease.store=lock-registry")
			.withBean("jobs", LateResults.class)
			.run((context) -> problems(context.getStartupFailure()).satisfiesExactlyInAnyOrder(
					(problem) -> assertProblem(problem, "future", "cannot wait for a returned CompletableFuture",
							"locket.lease.store=redis"),
					(problem) -> assertProblem(problem, "mono", "cannot wait for a returned Mono",
							"locket.lease.store=redis"),
					(problem) -> assertProblem(problem, "held", "cannot hold a key longer", "locket.lease.store=redis"),
					(problem) -> assertProblem(problem, "daily", "cannot keep the period",
							"locket.lease.store=redis")));
	}

	@Test
	void keys() {
		this.contextRunner.withBean("jobs", Keys.class)
			.withBean("byRegion", JobKeyGenerator.class, () -> (call) -> "one")
			.run((context) -> problems(context.getStartupFailure()).satisfiesExactlyInAnyOrder(
					(problem) -> assertProblem(problem, "both", "key and keyGenerator exclude each other",
							"Leave one of them out"),
					(problem) -> assertProblem(problem, "missing", "keyGenerator = \"nobody\" does not name a bean",
							"Name one of [byRegion]"),
					(problem) -> assertProblem(problem, "wrong", "names a bean that is not a JobKeyGenerator",
							"Name one of [byRegion]"),
					(problem) -> assertProblem(problem, "unparsable", "key = \"{#a0\" cannot be used",
							"such as key = \"#id\"."),
					(problem) -> assertProblem(problem, "unknown", "key = \"#nothing\" cannot be used",
							"such as key = \"#id\".")));
	}

	@Test
	void names() {
		problemsOf(Names.class).satisfiesExactlyInAnyOrder(
				(problem) -> assertProblem(problem, "control", "control characters", "printable"),
				(problem) -> assertProblem(problem, "endless", "201 characters", "at most 200"),
				(problem) -> assertProblem(problem, "blank", "name = \" \" is blank", "leave the attribute out"),
				(problem) -> assertProblem(problem, "masked", "maskArguments = \"yes\" is neither true nor false",
						"\"true\" or \"false\""));
	}

	@Test
	void allProblemsOfAllBeansAreInOneException() {
		this.contextRunner.withBean("one", FinalClass.class)
			.withBean("two", ReturnTypes.class)
			.withBean("three", Waits.class)
			.run((context) -> problems(context.getStartupFailure()).extracting(Problem::subject)
				.isSorted()
				.anyMatch((subject) -> subject.startsWith("Bean 'one'"))
				.anyMatch((subject) -> subject.startsWith("Bean 'two'"))
				.anyMatch((subject) -> subject.startsWith("Bean 'three'")));
	}

	@Test
	void beanThatWasCreatedBeforeTheProxies() {
		this.contextRunner.withUserConfiguration(EarlyBean.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "run", "The bean is not proxied",
						"ObjectProvider of it and declare its @Bean method static")));
	}

	@Test
	void objectThatWasRegisteredAsBean() {
		this.contextRunner
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("jobs", new FirstNamed()))
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertProblem(problem, "run", "registered as an object", "a bean of its own")));
	}

	@Test
	void missingLeaseService() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
					UniqueJobAutoConfiguration.class))
			.withBean("jobs", FirstNamed.class)
			.run((context) -> problems(context.getStartupFailure()).singleElement()
				.satisfies((problem) -> assertThat(problem.toString()).contains("no LeaseService bean",
						"locket-spring-boot-starter", "spring.data.redis", "locket.lease.store=lock-registry",
						"locket.enabled=false")));
	}

	@Test
	void applicationWithoutJobsNeedsNoLeaseService() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
					UniqueJobAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void lazyBeanOfHiddenTypeIsRefusedWhenItIsCreated() {
		this.contextRunner.withUserConfiguration(HiddenLazyBean.class).run((context) -> {
			assertThat(context).hasNotFailed();
			lateProblems(context, "hidden").singleElement()
				.satisfies((problem) -> assertThat(problem.action()).contains("RAISE, or WAIT with waitFor"));
		});
	}

	@Test
	void factoryBeansAreNotInitialized(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(LazyFactory.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("factory created");
		});
	}

	@Test
	void guardedJobsAreCountedAndUnguardedOnesNamed(CapturedOutput output) {
		this.contextRunner.withBean("jobs", Good.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Guarding direct calls of 4 job(s)")
				.contains("Direct calls are not guarded by UNTIL_EXECUTING, the lock strategy of [jobs.queued]");
		});
	}

	@Test
	void periodThatOnlyOtherQueuesUseIsNamed(CapturedOutput output) {
		this.contextRunner.withBean("jobs", Periods.class)
			.withPropertyValues("locket.queues.other.lock=until-executed")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("uniqueFor has no effect for [jobs.once], because");
			});
	}

	@Test
	void periodThatNoQueueUsesStopsStartUp() {
		problemsOf(Periods.class).singleElement()
			.satisfies((problem) -> assertProblem(problem, "once", "uniqueFor has no effect with WHILE_EXECUTING",
					"use UNTIL_EXPIRED; or"));
	}

	@Test
	void periodThatTheConfigurationUsesIsNotNamed(CapturedOutput output) {
		this.contextRunner.withPropertyValues("locket.job.lock=until-expired", "locket.job.unique-for=1m")
			.withBean("jobs", Periods.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("uniqueFor has no effect");
			});
	}

	private ListAssert<Problem> problemsOf(Class<?> bean) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.contextRunner.withBean("jobs", bean).run((context) -> failure.set(context.getStartupFailure()));
		return problems(failure.get());
	}

	private static ListAssert<Problem> problems(Throwable failure) {
		assertThat(failure).isInstanceOf(InvalidUniqueJobException.class);
		return assertThat(((InvalidUniqueJobException) failure).getProblems());
	}

	private static void assertProblem(Problem problem, String method, String description, String action) {
		assertThat(problem.subject()).startsWith("Bean '").contains("." + method + "(");
		assertThat(problem.description()).contains(description);
		assertThat(problem.action()).contains(action);
	}

	static class UnguardableMethods {

		@UniqueJob
		private void hidden() {
		}

		@UniqueJob
		protected void guarded() {
		}

		@UniqueJob
		void packaged() {
		}

		@UniqueJob
		public static void shared() {
		}

		@UniqueJob
		public final void sealed() {
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public Object suspending(String id, Continuation<?> continuation) {
			return id;
		}

	}

	static final class FinalClass {

		@UniqueJob
		public void run() {
		}

	}

	static final class FinalRunnable implements Runnable {

		@Override
		@UniqueJob
		public void run() {
		}

	}

	static class OffInterface implements Runnable {

		@Override
		public void run() {
		}

		@UniqueJob
		public void other() {
		}

	}

	static class Overloads {

		@UniqueJob
		public void run(int id) {
		}

		@UniqueJob
		public void run(String id) {
		}

	}

	static class FirstNamed {

		@UniqueJob(name = "same")
		public void run() {
		}

	}

	static class SecondNamed {

		@UniqueJob(name = "same")
		public void run() {
		}

	}

	static class Unnamed {

		@UniqueJob
		public void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototypes {

		@Bean
		@Scope(BeanDefinition.SCOPE_PROTOTYPE)
		Unnamed one() {
			return new Unnamed();
		}

		@Bean
		@Scope(BeanDefinition.SCOPE_PROTOTYPE)
		Unnamed two() {
			return new Unnamed();
		}

	}

	static class Waits {

		@UniqueJob(onConflict = ConflictStrategy.WAIT)
		public void unbounded() {
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "0s")
		public void zero() {
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE, waitFor = "1s")
		public void pointless() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, onConflict = ConflictStrategy.WAIT, waitFor = "1s")
		public void queued() {
		}

	}

	static class Strategies {

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED)
		public void noPeriod() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h", onConflict = ConflictStrategy.WAIT,
				waitFor = "1s")
		public void waitingPeriod() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING, onConflict = ConflictStrategy.REJECT)
		public void losingUpdates() {
		}

		@UniqueJob(lock = LockStrategy.NONE, holdAtLeast = "1m")
		public void noHold() {
		}

	}

	static class Durations {

		@UniqueJob(leaseFor = "soon")
		public void unparsable() {
		}

		@UniqueJob(holdAtLeast = "-1s")
		public void negative() {
		}

		@UniqueJob(holdAtLeast = "5")
		public void unitless() {
		}

		@UniqueJob(holdAtLeast = "0")
		public void noHold() {
		}

		@UniqueJob(leaseFor = "0")
		public void zero() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "99999999999d")
		public void endless() {
		}

		@UniqueJob(leaseFor = "5s")
		public void tooShort() {
		}

		@UniqueJob(leaseFor = "${no.such.property}")
		public void missing() {
		}

		@UniqueJob(name = "${no.such.property:}")
		public void blank() {
		}

	}

	static class SpecialFuture extends CompletableFuture<String> {

	}

	static class ReturnTypes {

		@UniqueJob
		public int number() {
			return 0;
		}

		@UniqueJob
		public String text() {
			return "";
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public Future<String> future() {
			return new CompletableFuture<>();
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public Stream<String> stream() {
			return Stream.empty();
		}

		@UniqueJob
		public Publisher<String> publisher() {
			return Mono.empty();
		}

		@UniqueJob
		public Flow.Publisher<String> flow() {
			return (subscriber) -> {
			};
		}

		@UniqueJob
		public Callable<String> callable() {
			return () -> "";
		}

		@UniqueJob
		public SpecialFuture special() {
			return new SpecialFuture();
		}

	}

	static class LateResults {

		@UniqueJob
		public CompletableFuture<String> future() {
			return new CompletableFuture<>();
		}

		@UniqueJob
		public Mono<String> mono() {
			return Mono.empty();
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1d")
		public void daily() {
		}

		@UniqueJob(holdAtLeast = "1s")
		public void held() {
		}

		@UniqueJob
		public Optional<Duration> fine() {
			return Optional.empty();
		}

	}

	static class Keys {

		@UniqueJob(key = "#id", keyGenerator = "byRegion")
		public void both(int id) {
		}

		@UniqueJob(keyGenerator = "nobody")
		public void missing(int id) {
		}

		@UniqueJob(keyGenerator = "jobs")
		public void wrong(int id) {
		}

		@UniqueJob(key = "{#a0")
		public void unparsable(int id) {
		}

		@UniqueJob(key = "#nothing")
		public void unknown(int id) {
		}

	}

	static class Names {

		@UniqueJob(name = "a\nb")
		public void control() {
		}

		@UniqueJob(name = "12345678901234567890123456789012345678901234567890"
				+ "12345678901234567890123456789012345678901234567890"
				+ "12345678901234567890123456789012345678901234567890"
				+ "123456789012345678901234567890123456789012345678901")
		public void endless() {
		}

		@UniqueJob(name = " ")
		public void blank() {
		}

		@UniqueJob(maskArguments = "yes")
		public void masked() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyBean {

		@Bean
		Unnamed jobs() {
			return new Unnamed();
		}

		@Bean
		static EarlyProcessor processor(Unnamed jobs) {
			return new EarlyProcessor();
		}

	}

	static class EarlyProcessor implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	static class HiddenCallable implements Callable<String> {

		@Override
		@UniqueJob
		public String call() {
			return "";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenLazyBean {

		@Bean
		@Lazy
		Callable<String> hidden() {
			return new HiddenCallable();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyFactory {

		@Bean
		@Lazy
		FactoryBean<?> factory() {
			throw new IllegalStateException("factory created");
		}

	}

	static class Periods {

		@UniqueJob(uniqueFor = "1h")
		public void once() {
		}

		@UniqueJob
		public void always() {
		}

	}

	static class Good {

		@UniqueJob
		public void silent() {
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public List<String> raising() {
			return List.of();
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "${wait:PT1S}", leaseFor = "6s", holdAtLeast = "0s")
		public long waiting() {
			return 1;
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1d", onConflict = ConflictStrategy.RAISE)
		public Stream<String> daily() {
			return Stream.empty();
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING)
		public int queued() {
			return 1;
		}

		@UniqueJob(lock = LockStrategy.NONE, leaseFor = "1m")
		public int ordinary() {
			return 1;
		}

	}

	static class WaitsWithoutWait {

		@UniqueJob(waitFor = "1s")
		public void undeclared() {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h", waitFor = "1s")
		public void period() {
		}

	}

	static class UndeclaredWait {

		@UniqueJob(waitFor = "1s")
		public void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenJobs {

		@Bean
		@Lazy
		Runnable finalJob() {
			return new FinalRunnable();
		}

		@Bean
		@Lazy
		Runnable unguardable() {
			return new HiddenUnguardable();
		}

		@Bean
		@Lazy
		Object second() {
			return new SecondNamed();
		}

	}

	static class HiddenUnguardable implements Runnable {

		@Override
		public void run() {
		}

		@UniqueJob
		private void hidden() {
		}

		@UniqueJob
		public final void sealed() {
		}

	}

}
