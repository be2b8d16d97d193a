package io.locket.job;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.queue.EnqueueResult;
import io.locket.queue.PayloadTooLargeException;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.NewJob.Start;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Jobs} and {@link EnqueueOptions}.
 */
class JobEnqueuerTests {

	private final JobQueue queue = mock(JobQueue.class);

	private final List<NewJob> enqueued = new CopyOnWriteArrayList<>();

	private EnqueueResult result = new EnqueueResult.Accepted("id");

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(JobQueue.class, this::fakeQueue)
		.withBean("billing", Billing.class);

	private JobQueue fakeQueue() {
		given(this.queue.enqueue(any(NewJob.class))).willAnswer((invocation) -> {
			this.enqueued.add(invocation.getArgument(0));
			return this.result;
		});
		return this.queue;
	}

	@Test
	void argumentsAreConvertedBeforeTheKeyIsMade() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.enqueue("billing.bill", 42, "2026-05", "2026-05-31T22:00:00Z")).isSameAs(this.result);
			jobs.enqueue("billing.bill", "42", YearMonth.of(2026, 5), Instant.EPOCH);
			assertThat(this.enqueued).extracting(NewJob::key)
				.containsOnly(context.getBean(UniqueJobs.class)
					.keyOf("billing.bill", 42L, YearMonth.of(2026, 5), Instant.EPOCH));
			assertThat(this.enqueued).extracting(NewJob::arguments)
				.containsExactly("[42,\"2026-05\",\"2026-05-31T22:00:00Z\"]",
						"[42,\"2026-05\",\"1970-01-01T00:00:00Z\"]");
		});
	}

	@Test
	void argumentsOfAGenericBaseClassAreThoseOfTheBean() {
		this.contextRunner.withBean("months", Months.class).run((context) -> {
			context.getBean(Jobs.class).enqueue("months.process", "2026-05");
			context.getBean(Jobs.class).enqueue(Months.class, (months) -> months.process(YearMonth.of(2026, 5)));
			assertThat(this.enqueued).extracting(NewJob::arguments).containsExactly("[\"2026-05\"]", "[\"2026-05\"]");
			assertThat(this.enqueued).extracting(NewJob::key)
				.containsOnly(context.getBean(UniqueJobs.class).keyOf("months.process", YearMonth.of(2026, 5)));
		});
	}

	@Test
	void jobHasEverythingThatItsRunWillNeed() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("everything", "x");
			assertThat(this.enqueued).singleElement().satisfies((job) -> {
				assertThat(job.id()).hasSize(12).matches("[A-Za-z0-9_-]+");
				assertThat(job.job()).isEqualTo("everything");
				assertThat(job.queue()).isEqualTo("mine");
				assertThat(job.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
				assertThat(job.onDuplicate()).isEqualTo(DuplicateStrategy.REPLACE);
				assertThat(job.onConflict()).isEqualTo(ConflictStrategy.PARK);
				assertThat(job.start()).isEqualTo(Start.NOW);
				assertThat(job.leaseFor()).isEqualTo(Duration.ofMinutes(1));
				assertThat(job.uniqueFor()).isEqualTo(Duration.ofDays(1));
				assertThat(job.holdAtLeast()).isEqualTo(Duration.ofSeconds(2));
				assertThat(job.rescheduleAfter()).isEqualTo(Duration.ofSeconds(5));
				assertThat(job.maxDelay()).isEqualTo(Duration.ofHours(1));
				assertThat(job.retries()).isEqualTo(3);
				assertThat(job.trace()).isNull();
			});
		});
	}

	@Test
	void aliasEnqueuesUnderTheName() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("former", "x");
			assertThat(this.enqueued).singleElement().satisfies((job) -> {
				assertThat(job.job()).isEqualTo("everything");
				assertThat(job.key()).isEqualTo(context.getBean(UniqueJobs.class).keyOf("everything", "x"));
			});
		});
	}

	@Test
	void optionsAmongTheArgumentsAreRefused() {
		this.contextRunner.run((context) -> assertThatIllegalArgumentException().isThrownBy(
				() -> context.getBean(Jobs.class).enqueue("everything", "x", EnqueueOptions.in(Duration.ofMinutes(1))))
			.withMessageContaining("Pass them first: enqueue(options, \"everything\", arguments...)"));
	}

	@Test
	void requestIsEnqueuedWithItsOptions() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue(JobRequest.of("everything", "x").with(EnqueueOptions.now().id("mine")));
			assertThat(this.enqueued).extracting(NewJob::id).containsExactly("mine");
		});
	}

	@Test
	void jobWithoutALockHasNoKey() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.ordinary");
			assertThat(this.enqueued).singleElement().satisfies((job) -> {
				assertThat(job.key()).isNull();
				assertThat(job.arguments()).isEqualTo("[]");
				assertThat(job.queue()).isEqualTo("default");
			});
		});
	}

	@Test
	void optionsSayWhenWhereAndAsWhat() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.ordinary");
			jobs.enqueue(EnqueueOptions.at(Instant.EPOCH).queue("other").id("my-id"), "billing.ordinary");
			jobs.enqueue(EnqueueOptions.now().id("a").queue("b"), "billing.ordinary");
			assertThat(this.enqueued).extracting(NewJob::start)
				.containsExactly(Start.in(Duration.ofMinutes(5)), Start.at(Instant.EPOCH), Start.NOW);
			assertThat(this.enqueued).extracting(NewJob::queue).containsExactly("default", "other", "b");
			assertThat(this.enqueued).extracting(NewJob::id).endsWith("my-id", "a");
		});
	}

	@Test
	void optionsThatCannotWorkAreRefused() {
		EnqueueOptions now = EnqueueOptions.now();
		assertThatIllegalArgumentException().isThrownBy(() -> EnqueueOptions.in(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> EnqueueOptions.in(Duration.ofDays(36501)));
		assertThatIllegalArgumentException().isThrownBy(() -> now.queue("in voices"))
			.withMessage("'in voices' is not a valid queue name: use 1 to 100 letters, digits, '.', '_', '-' and ':', "
					+ "but not '.' or '..'");
		assertThatIllegalArgumentException().isThrownBy(() -> now.queue(""));
		assertThatIllegalArgumentException().isThrownBy(() -> now.id("a b"));
		assertThatIllegalArgumentException().isThrownBy(() -> now.id("x".repeat(65)));
	}

	@Test
	void timeThatLongHasPassedIsAtOnceAndOneThatNeverComesIsRefused() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue(EnqueueOptions.at(Instant.MIN), "billing.ordinary");
			assertThat(this.enqueued).extracting(NewJob::start).containsExactly(Start.at(Instant.EPOCH));
		});
		assertThatIllegalArgumentException().isThrownBy(() -> EnqueueOptions.at(Instant.MAX))
			.withMessageContaining("must not be after 5138-11-16T09:46:39.999Z");
		Instant last = Instant.parse("5138-11-16T09:46:39.999Z");
		assertThatIllegalArgumentException().isThrownBy(() -> EnqueueOptions.at(last.plusNanos(1)));
		assertThatNoException().isThrownBy(() -> EnqueueOptions.at(last));
	}

	@Test
	void queueIsPartOfAKeyThatNamesIt() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue("billing.perQueue", 1);
			jobs.enqueue(EnqueueOptions.now().queue("other"), "billing.perQueue", 1);
			assertThat(this.enqueued).extracting((job) -> job.key().text())
				.containsExactly("[\"mine\",1]", "[\"other\",1]");
			context.getBean(Billing.class).perQueue(1);
			assertThat(GuardedContext.leases(context).requests()).singleElement()
				.satisfies((request) -> assertThat(request.key()).isEqualTo(this.enqueued.get(0).key()));
		});
	}

	@Test
	void idsAreNotRepeated() {
		this.contextRunner.run((context) -> {
			for (int i = 0; i < 1000; i++) {
				context.getBean(Jobs.class).enqueue("billing.ordinary");
			}
			Set<String> ids = new HashSet<>(this.enqueued.stream().map(NewJob::id).toList());
			assertThat(ids).hasSize(1000);
		});
	}

	@Test
	void duplicateIsAResultUnlessTheJobRaisesIt() {
		this.result = new EnqueueResult.Duplicate("other", JobState.RUNNING);
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.enqueue("everything", "x")).isSameAs(this.result);
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> jobs.enqueue("billing.raising"))
				.withMessageContaining("already exists, with the id other and in the state RUNNING");
			this.result = new EnqueueResult.Duplicate(null, null);
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> jobs.enqueue("billing.raising"))
				.withMessageContaining("a direct call has claimed its period")
				.satisfies((ex) -> {
					assertThat(ex.getExistingId()).isNull();
					assertThat(ex.getKey().job()).isEqualTo("billing.raising");
				});
		});
	}

	@Test
	void argumentsAreMeasuredInBytes() {
		this.contextRunner.withPropertyValues("locket.queue.max-payload=20B").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue("everything", "x".repeat(16));
			assertThatExceptionOfType(PayloadTooLargeException.class)
				.isThrownBy(() -> jobs.enqueue("everything", "\u00e4".repeat(16)))
				.withMessageContaining("have 36 bytes as JSON, and the limit is 20")
				.withMessageContaining("locket.queue.max-payload");
			assertThat(this.enqueued).hasSize(1);
		});
	}

	@Test
	void unknownJobsAndWrongArgumentsAreRefused() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("billing.bil"))
				.withMessageContaining("There is no job 'billing.bil'");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("billing.bill", 42))
				.withMessageContaining(
						"takes 3 argument(s) (long customer, YearMonth month, Instant requestedAt), but there are 1");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("billing.bill", null, "2026-05", null))
				.withMessageContaining("Argument 1");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueue("billing.bill", 1, "May", null))
				.withMessageContaining("Argument 2");
			assertThat(this.enqueued).isEmpty();
		});
	}

	@Test
	void failureOfTheStoreIsTheCallers() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			given(this.queue.enqueue(any(NewJob.class))).willThrow(new QueueUnavailableException("gone", null));
			assertThatExceptionOfType(QueueUnavailableException.class)
				.isThrownBy(() -> jobs.enqueue("billing.ordinary"));
		});
	}

	static class Billing {

		@UniqueJob(key = "{#customer, #month}")
		public void bill(long customer, YearMonth month, Instant requestedAt) {
		}

		@UniqueJob(name = "everything", aliases = "former", queue = "mine", lock = LockStrategy.UNTIL_EXECUTED,
				onDuplicate = DuplicateStrategy.REPLACE, leaseFor = "1m", uniqueFor = "1d", holdAtLeast = "2s",
				maxDelay = "1h", retries = "3")
		public void everything(String text) {
		}

		@UniqueJob(key = "{#queue, #id}", queue = "mine")
		public void perQueue(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h", onDuplicate = DuplicateStrategy.RAISE)
		public void raising() {
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void ordinary() {
		}

	}

	static class Batch<T> {

		@UniqueJob
		public void process(T item) {
			throw new IllegalStateException("Unexpected run");
		}

	}

	static class Months extends Batch<YearMonth> {

	}

}
