package io.locket.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.memory.InMemoryJobQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for jobs that are enqueued by a call of them.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobsTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	private final InMemoryJobQueue queue = new InMemoryJobQueue(new LockSpace(Clock.systemUTC()), 3,
			new JobEventPublisher(List.of()));

	private final ApplicationContextRunner producer = GuardedContext.runner()
		.withBean(InMemoryJobQueue.class, () -> this.queue);

	private final ApplicationContextRunner contextRunner = this.producer.withBean("billing", Billing.class);

	private JobRecord enqueued(EnqueueResult result) {
		return this.queue.find(((EnqueueResult.Accepted) result).id()).orElseThrow();
	}

	@Test
	void callBecomesAJobWithTheKeyOfADirectCall() {
		this.contextRunner.run((context) -> {
			JobRecord job = enqueued(context.getBean(Jobs.class)
				.enqueue(Billing.class, (billing) -> billing.bill(42, MAY, Instant.EPOCH)));
			assertThat(job.job()).isEqualTo("billing.bill");
			assertThat(job.arguments()).isEqualTo("[42,\"2026-05\",\"1970-01-01T00:00:00Z\"]");
			context.getBean(Billing.class).bill(42, MAY, Instant.now());
			assertThat(GuardedContext.leases(context).requests()).singleElement()
				.satisfies((request) -> assertThat(request.key()).isEqualTo(job.key()));
		});
	}

	@Test
	void callAndNameMakeTheSameJob() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			JobRecord byCall = enqueued(jobs.enqueue(Billing.class, (billing) -> billing.totals(Map.of("a", 1))));
			JobRecord byName = enqueued(jobs.enqueue("billing.totals", Map.of("a", "1")));
			assertThat(byCall.key()).isEqualTo(byName.key());
			assertThat(byCall.arguments()).isEqualTo(byName.arguments());
		});
	}

	@Test
	void optionsSayWhenWhereAndAsWhat() {
		this.contextRunner.run((context) -> {
			EnqueueOptions options = EnqueueOptions.in(Duration.ofMinutes(5)).queue("other").id("mine");
			JobRecord job = enqueued(
					context.getBean(Jobs.class).enqueue(Billing.class, (billing) -> billing.totals(Map.of()), options));
			assertThat(job.id()).isEqualTo("mine");
			assertThat(job.queue()).isEqualTo("other");
			assertThat(job.startAt()).isNotNull();
		});
	}

	@Test
	void proxiedBeanInterfaceAndBaseClassLeadToTheJob() {
		this.contextRunner.withBean("daily", DailyReport.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Class<? extends Billing> proxied = context.getBean(Billing.class).getClass();
			assertThat(proxied).isNotEqualTo(Billing.class);
			assertThat(enqueued(jobs.enqueue(proxied, (billing) -> billing.totals(Map.of()))).job())
				.isEqualTo("billing.totals");
			for (EnqueueResult result : List.of(jobs.enqueue(Report.class, (report) -> report.write("a")),
					jobs.enqueue(BaseReport.class, (report) -> report.write("a")),
					jobs.enqueue(DailyReport.class, (report) -> report.write("a")))) {
				assertThat(enqueued(result).job()).isEqualTo("daily.write");
			}
		});
	}

	@Test
	void failureOfTheCallEnqueuesNothing() {
		this.contextRunner.run((context) -> {
			IllegalStateException failure = new IllegalStateException("no");
			assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(Jobs.class).enqueue(Billing.class, (billing) -> {
					billing.bill(1, MAY, Instant.EPOCH);
					throw failure;
				}))
				.isSameAs(failure);
			assertThat(this.queue.queues()).isEmpty();
		});
	}

	@Test
	void methodThatIsNoJobIsRefused() {
		this.contextRunner.withBean("plain", Runnable.class, () -> () -> {
		}).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue(Billing.class, Billing::ordinary))
				.withMessage("JobsTests.Billing.ordinary() is not a job: it has no @UniqueJob. Annotate it, or"
						+ " call one of the jobs of JobsTests.Billing: [billing.bill, billing.totals]");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue(Runnable.class, Runnable::run))
				.withMessage("Runnable.run() is not a job: it has no @UniqueJob. Annotate it with @UniqueJob");
		});
	}

	@Test
	void typeWithoutBeanIsRefused() {
		this.producer.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(Jobs.class).enqueue(Billing.class, Billing::ordinary))
			.withMessage("There is no bean of type JobsTests.Billing, so there is no job"
					+ " JobsTests.Billing.ordinary(). Define the bean, or move @UniqueJob with a name to a"
					+ " method of an interface and use the interface"));
	}

	@Test
	void twoBeansOfOneTypeAreNamed() {
		this.contextRunner.withBean("other", Billing.class)
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(
						() -> context.getBean(Jobs.class).enqueue(Billing.class, (billing) -> billing.totals(Map.of())))
				.withMessageStartingWith("JobsTests.Billing.totals(Map) is a job of 2 beans")
				.withMessageContaining("'billing'")
				.withMessageContaining("'other'")
				.withMessageContaining("Enqueue by the name of the job, one of [")
				.withMessageContaining("billing.totals")
				.withMessageContaining("other.totals"));
	}

	@Test
	void twoBeansThatShareANamedJobAreOneJob() {
		this.producer.withBean("a", NamedHandler.class)
			.withBean("b", NamedHandler.class)
			.run((context) -> assertThat(
					enqueued(context.getBean(Jobs.class).enqueue(Commands.class, (commands) -> commands.run("x", 1)))
						.job())
				.isEqualTo("commands.run"));
	}

	@Test
	void beansOfSeveralClassesThatShareANamedJobAreNotEnqueued(CapturedOutput output) {
		this.producer.withBean("a", NamedHandler.class).withBean("b", OtherHandler.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			String message = "Job 'commands.run' is declared by the beans [a, b], and it is ambiguous which of them is"
					+ " to run it. Give each of them a name of its own, or mark the one that is to run queued jobs"
					+ " @Primary";
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.enqueue(OtherHandler.class, (handler) -> handler.run("x", 1)))
				.withMessage(message);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("commands.run", "x", 1))
				.withMessage(message);
			context.getBean("b", Commands.class).run("x", 1);
			assertThat(this.queue.queues()).isEmpty();
			assertThat(output).contains("Job 'commands.run' is declared by the beans [a, b]. It is neither enqueued nor"
					+ " run from a queue here");
		});
	}

	@Test
	void primaryBeanRunsTheJobThatItsNameShares(CapturedOutput output) {
		this.producer.withBean("a", NamedHandler.class)
			.withBean("b", OtherHandler.class, OtherHandler::new, (definition) -> definition.setPrimary(true))
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				jobs.enqueue(OtherHandler.class, (handler) -> handler.run("x", 1));
				jobs.enqueue(Commands.class, (handler) -> handler.run("y", 1));
				jobs.enqueue("commands.run", "z", 1);
				assertThat(this.queue.counts("commands").accepted()).isEqualTo(3);
				assertThatIllegalArgumentException()
					.isThrownBy(() -> jobs.enqueue(NamedHandler.class, (handler) -> handler.run("x", 1)))
					.withMessageContaining("would not run on a JobsTests.NamedHandler but on 'b'");
				assertThat(output)
					.contains("Job 'commands.run' is declared by the beans [a, b]. Its queued runs use 'b'");
			});
	}

	@Test
	void interfaceIsEnoughAndMakesTheKeyThatTheBeanMakes() {
		JobKey[] keys = new JobKey[1];
		ApplicationContextRunner settings = this.producer
			.withPropertyValues("locket.queues.commands.lock=until-executed", "locket.retry.max=7");
		settings.run((context) -> {
			assertThat(context).doesNotHaveBean(Commands.class);
			JobRecord job = enqueued(
					context.getBean(Jobs.class).enqueue(Commands.class, (commands) -> commands.run("x", 1)));
			assertThat(job.job()).isEqualTo("commands.run");
			assertThat(job.queue()).isEqualTo("commands");
			assertThat(job.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
			assertThat(job.retries()).isEqualTo(7);
			keys[0] = job.key();
		});
		settings.withBean("handler", NamedHandler.class).run((context) -> {
			assertThat(context.getBean(UniqueJobs.class).keyOf("commands.run", "x", 2)).isEqualTo(keys[0]);
			assertThat(context.getBean(Jobs.class).enqueue(NamedHandler.class, (handler) -> handler.run("x", 2)))
				.isInstanceOf(EnqueueResult.Duplicate.class);
		});
	}

	@Test
	void jobOfAnInterfaceIsKnownByNameOnceItWasCalled() {
		this.producer.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("commands.run", "x", 1))
				.withMessageStartingWith("There is no job 'commands.run'. No bean of this application has jobs")
				.withMessageContaining("enqueue(Type.class");
			JobRecord first = enqueued(jobs.enqueue(Commands.class, (commands) -> commands.run("x", 1)));
			assertThat(enqueued(jobs.enqueue("commands.run", "x", 1)).key()).isEqualTo(first.key());
			assertThat(context.getBean(UniqueJobs.class).isExclusive("commands.run")).isTrue();
		});
	}

	@Test
	void nameOfTheImplementationCountsWhereItHasThatOfTheInterfaceAsAlias() {
		this.producer.withBean("renamed", RenamedHandler.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(enqueued(jobs.enqueue(Commands.class, (job) -> job.run("x", 1))).job()).isEqualTo("renamed.run");
			assertThat(enqueued(jobs.enqueue("commands.run", "x", 1)).job()).isEqualTo("renamed.run");
		});
	}

	@Test
	void nameThatDiffersFromThatOfTheInterfaceIsRefused() {
		this.producer.withBean("renamed", AlienHandler.class)
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOf(InvalidUniqueJobException.class)
				.hasMessageContaining("The job is 'alien.run' here and 'commands.run' in an interface")
				.hasMessageContaining("Write the same name, or aliases = \"commands.run\"."));
	}

	@Test
	void argumentThatCannotBeQueuedIsRefusedBeforeItsKeyIsMade() {
		this.contextRunner.withBean("callbacks", Callbacks.class)
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(Jobs.class).enqueue(Callbacks.class, (job) -> job.call(() -> {
				})))
				.withMessageContaining("cannot be written as JSON"));
	}

	@Test
	void interfaceThatCannotBeEnqueuedAloneIsRefused() {
		this.producer.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue(Commands.class, Commands::ordinary))
				.withMessage("JobsTests.Commands.ordinary() is not a job: no bean implements"
						+ " JobsTests.Commands, and the method of the interface has no @UniqueJob. Annotate"
						+ " it there, with a name");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.enqueue(BrokenCommands.class, BrokenCommands::nameless))
				.withMessageEndingWith("Set a name in the @UniqueJob of the interface, such as name ="
						+ " \"brokenCommands.nameless\"");
			for (int i = 0; i < 2; i++) {
				assertThatIllegalArgumentException()
					.isThrownBy(() -> jobs.enqueue(BrokenCommands.class, BrokenCommands::broken))
					.withCauseInstanceOf(InvalidUniqueJobException.class)
					.withMessageContaining("Interface, method JobsTests.BrokenCommands.broken()")
					.withMessageContaining("UNTIL_EXPIRED has no period")
					.withMessageContaining("queue = \"in voices\" is not a valid queue name");
			}
		});
	}

	@Test
	void nameThatABeanHasIsTakenForAnInterface() {
		this.producer.withBean("taker", Taker.class)
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(Jobs.class).enqueue(Commands.class, (job) -> job.run("x", 1)))
				.withMessageContaining("The name 'commands.run' is taken by Bean 'taker'"));
	}

	@Test
	void nameThatAnotherInterfaceHasIsTaken() {
		this.producer.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue(Commands.class, (job) -> job.run("x", 1));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue(SameName.class, (job) -> job.go("x")))
				.withMessageContaining("Interface, method JobsTests.SameName.go(String)")
				.withMessageContaining("The name 'commands.run' is taken by Interface, method"
						+ " JobsTests.Commands.run(String, int)");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue(SameName.class, SameName::alias))
				.withMessageContaining("The name 'commands.run' is taken by");
			assertThat(enqueued(jobs.enqueue(MoreCommands.class, (job) -> job.run("x", 1))).job())
				.isEqualTo("commands.run");
		});
	}

	@Test
	void interfaceBelowTheOneOfABeanLeadsToItsJob() {
		this.producer.withBean("handler", NamedHandler.class)
			.run((context) -> assertThat(
					enqueued(context.getBean(Jobs.class).enqueue(MoreCommands.class, (job) -> job.run("x", 1))).job())
				.isEqualTo("commands.run"));
	}

	@Test
	void beanThatIsProxiedByItsInterfacesIsEnqueuedByItsClassToo() {
		this.producer.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("handler", NamedHandler.class)
			.run((context) -> {
				assertThat(context.getBean("handler")).isNotInstanceOf(NamedHandler.class);
				Jobs jobs = context.getBean(Jobs.class);
				JobRecord byClass = enqueued(jobs.enqueue(NamedHandler.class, (handler) -> handler.run("x", 1)));
				assertThat(byClass.key())
					.isEqualTo(enqueued(jobs.enqueue(Commands.class, (handler) -> handler.run("x", 1))).key());
			});
	}

	@Test
	void genericMethodIsThatOfTheBean() {
		JobKey[] keys = new JobKey[1];
		this.producer.withBean("orders", OrderHandler.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			JobRecord job = enqueued(jobs.enqueue(OrderHandler.class, (handler) -> handler.handle(new Order(7))));
			assertThat(job.arguments()).isEqualTo("[{\"id\":7}]");
			for (EnqueueResult result : List.of(
					jobs.enqueue(OrderHandling.class, (handler) -> handler.handle(new Order(7))),
					jobs.enqueue(NarrowOrderHandling.class, (handler) -> handler.handle(new Order(7))))) {
				assertThat(enqueued(result).key()).isEqualTo(job.key());
			}
			keys[0] = job.key();
		});
		this.producer.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			for (EnqueueResult result : List.of(
					jobs.enqueue(NarrowOrderHandling.class, (handler) -> handler.handle(new Order(7))),
					jobs.enqueue(OrderHandling.class, (handler) -> handler.handle(new Order(7))))) {
				assertThat(enqueued(result).key()).isEqualTo(keys[0]);
			}
		});
	}

	record Order(int id) {

	}

	interface Handler<T> {

		@UniqueJob(name = "handle")
		void handle(T command);

	}

	interface OrderHandling extends Handler<Order> {

	}

	interface NarrowOrderHandling extends OrderHandling {

		@Override
		void handle(Order command);

	}

	static class OrderHandler implements NarrowOrderHandling {

		@Override
		public void handle(Order command) {
		}

	}

	static class Billing {

		@UniqueJob(key = "{#customer, #month}", lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING)
		public void bill(long customer, YearMonth month, Instant requestedAt) {
		}

		@UniqueJob
		public void totals(Map<String, Integer> totals) {
		}

		public void ordinary() {
		}

	}

	interface Report {

		void write(String text);

	}

	static class BaseReport implements Report {

		@Override
		@UniqueJob
		public void write(String text) {
		}

	}

	static class DailyReport extends BaseReport {

	}

	interface SameName {

		@UniqueJob(name = "commands.run")
		void go(String text);

		@UniqueJob(name = "commands.alias", aliases = "commands.run")
		void alias();

	}

	interface Commands {

		@UniqueJob(name = "commands.run", key = "#text", queue = "commands")
		void run(String text, int ignored);

		void ordinary();

	}

	interface MoreCommands extends Commands {

	}

	interface BrokenCommands {

		@UniqueJob
		void nameless();

		@UniqueJob(name = "commands.broken", lock = LockStrategy.UNTIL_EXPIRED, queue = "in voices")
		void broken();

	}

	static class NamedHandler implements Commands {

		@Override
		public void run(String line, int other) {
		}

		@Override
		public void ordinary() {
		}

	}

	static class OtherHandler implements Commands {

		@Override
		public void run(String line, int other) {
		}

		@Override
		public void ordinary() {
		}

	}

	static class RenamedHandler implements Commands {

		@Override
		@UniqueJob(name = "renamed.run", aliases = "commands.run")
		public void run(String line, int other) {
		}

		@Override
		public void ordinary() {
		}

	}

	static class AlienHandler implements Commands {

		@Override
		@UniqueJob(name = "alien.run")
		public void run(String line, int other) {
		}

		@Override
		public void ordinary() {
		}

	}

	static class Callbacks {

		@UniqueJob
		public void call(Runnable callback) {
		}

	}

	static class Taker {

		@UniqueJob(name = "commands.run")
		public void run() {
		}

	}

}
