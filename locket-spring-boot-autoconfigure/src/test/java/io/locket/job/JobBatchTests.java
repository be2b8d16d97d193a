package io.locket.job;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobKeyException;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeyGenerator;
import io.locket.key.JobKeys;
import io.locket.observer.JobObservers;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.PayloadTooLargeException;
import io.locket.queue.argument.ArgumentCodec;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for bulk enqueuing.
 */
class JobBatchTests {

	private final FailingQueue queue = new FailingQueue();

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(FailingQueue.class, () -> this.queue)
		.withBean("letters", Letters.class);

	private static List<JobRequest> requests(int count) {
		return IntStream.range(0, count).mapToObj((i) -> JobRequest.of(Letters.class, (to) -> to.send(i))).toList();
	}

	@Test
	void hundredJobsAreOneStepAndEachHasItsResult() {
		this.contextRunner.run((context) -> {
			List<EnqueueResult> results = context.getBean(Jobs.class).enqueueAll(requests(250));
			assertThat(this.queue.steps).extracting(List::size).containsExactly(100, 100, 50);
			assertThat(results).hasSize(250);
			for (int i = 0; i < 250; i++) {
				String id = ((Accepted) results.get(i)).id();
				assertThat(this.queue.find(id).orElseThrow().arguments()).isEqualTo("[" + i + "]");
			}
			assertThat(context.getBean(Jobs.class).enqueueAll(List.of())).isEmpty();
		});
	}

	@Test
	void stepEndsOnceItHasAMillionCharactersOfArguments() {
		this.contextRunner.withPropertyValues("locket.queue.max-payload=1MB").run((context) -> {
			// The arguments of a job have four characters more than its text.
			List<JobRequest> requests = IntStream.range(0, 32)
				.mapToObj((i) -> JobRequest.of("letters.text", "x".repeat((i < 10) ? 99_996 : 124_996)))
				.toList();
			assertThat(context.getBean(Jobs.class).enqueueAll(requests)).hasSize(32)
				.allSatisfy((result) -> assertThat(result).isInstanceOf(Accepted.class));
			assertThat(this.queue.steps).extracting(List::size).containsExactly(10, 8, 8, 6);
		});
	}

	@Test
	void requestsHaveOptionsAndDuplicatesAreResultsAlsoIfTheyAreRaisedElsewhere() {
		this.contextRunner.run((context) -> {
			List<EnqueueResult> results = context.getBean(Jobs.class)
				.enqueueAll(
						List.of(JobRequest.of("letters.raise", 1).with(EnqueueOptions.now().queue("other").id("first")),
								JobRequest.of("letters.raise", "1")));
			assertThat(results.get(0)).isEqualTo(new Accepted("first"));
			assertThat(results.get(1)).isInstanceOfSatisfying(Duplicate.class,
					(duplicate) -> assertThat(duplicate.existing()).contains("first"));
			assertThat(this.queue.find("first").orElseThrow().queue()).isEqualTo("other");
		});
	}

	@Test
	void oneThatCannotBeEnqueuedRefusesAll() {
		this.contextRunner.withPropertyValues("locket.queue.max-payload=20B").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			List<JobRequest> requests = new ArrayList<>(requests(150));
			requests.set(120, JobRequest.of("letters.send", "many"));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueueAll(requests))
				.withMessageStartingWith(
						"The request at index 120, 'letters.send', cannot be enqueued, so none is." + " Job '");
			requests.set(120, JobRequest.of("letters.text", "x".repeat(30)));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueueAll(requests))
				.withCauseInstanceOf(PayloadTooLargeException.class);
			requests.set(120, JobRequest.of("letters.text", new Object[] { null }));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueueAll(requests))
				.withCauseInstanceOf(JobKeyException.class);
			requests.set(120, JobRequest.of(Letters.class, Letters::ordinary));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.enqueueAll(requests))
				.withMessageContaining("index 120, JobBatchTests.Letters.ordinary(), cannot")
				.withMessageContaining("is not a job");
			assertThat(this.queue.steps).isEmpty();
		});
	}

	@Test
	void whatIsMissingIsNamed() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			List<JobRequest> requests = new ArrayList<>(requests(3));
			requests.set(1, null);
			assertThatNullPointerException().isThrownBy(() -> jobs.enqueueAll(requests))
				.withMessage("The request at index 1 must not be null");
			assertThatNullPointerException().isThrownBy(() -> jobs.enqueueAll(null))
				.withMessage("'requests' must not be null");
			Object[] none = null;
			assertThatNullPointerException().isThrownBy(() -> jobs.enqueue("letters.text", none))
				.withMessage("'args' must not be null; pass a single null argument as (Object) null");
			assertThatNullPointerException()
				.isThrownBy(() -> context.getBean(UniqueJobs.class).keyOf("letters.text", none))
				.withMessage("'args' must not be null; pass a single null argument as (Object) null");
			assertThat(this.queue.steps).isEmpty();
		});
	}

	@Test
	void keyGeneratorThatFailsIsTheCauseAndTheRequestIsNamed() {
		this.contextRunner.withBean("failing", JobKeyGenerator.class, () -> (call) -> {
			throw new IllegalStateException("no key today");
		}).run((context) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> context.getBean(Jobs.class).enqueueAll(requests(3)))
				.withMessageStartingWith("The request at index 0")
				.withCauseInstanceOf(JobKeyException.class)
				.withRootCauseInstanceOf(IllegalStateException.class);
			assertThat(this.queue.steps).isEmpty();
		});
	}

	@Test
	void failurePartWayHasTheResultsSoFarAndTheRestIsRepeatedWithItsIds() {
		for (boolean sent : new boolean[] { false, true }) {
			this.queue.sendsBeforeItFails = sent;
			this.contextRunner.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				this.queue.replies = 1;
				assertThatExceptionOfType(BulkEnqueueException.class).isThrownBy(() -> jobs.enqueueAll(requests(250)))
					.withMessageStartingWith("100 of 250 jobs have a result")
					.satisfies((ex) -> {
						assertThat(ex.getResults()).hasSize(100).hasOnlyElementsOfType(Accepted.class);
						assertThat(ex.getRemaining()).hasSize(150);
						this.queue.replies = Integer.MAX_VALUE;
						List<EnqueueResult> rest = jobs.enqueueAll(ex.getRemaining());
						assertThat(rest).hasSize(150).hasOnlyElementsOfType(Accepted.class);
					});
				assertThat(this.queue.counts("default").accepted()).isEqualTo(sent ? 500 : 250);
			});
		}
	}

	@Test
	void queueOfEachJobIsWatched() {
		this.contextRunner.run((context) -> {
			List<String> watched = new ArrayList<>();
			JobEnqueuer enqueuer = new JobEnqueuer(() -> this.queue, context.getBean(ArgumentCodec.class), 1000, false,
					context.getBean(JobObservers.class), new EnqueueGuards(List::of, new JobEventPublisher(List.of())),
					watched::add);
			Jobs jobs = new Jobs(context.getBean(UniqueJobs.class), context.getBean(JobKeys.class),
					context.getBean(ArgumentCodec.class), enqueuer);
			jobs.enqueueAll(List.of(JobRequest.of("letters.send", 1).with(EnqueueOptions.now().queue("other")),
					JobRequest.of("letters.send", 2)));
			assertThat(watched).containsExactly("other", "default");
		});
	}

	@Test
	void callIsRecordedWhenTheRequestIsMade() {
		assertThatIllegalArgumentException().isThrownBy(() -> JobRequest.of(Letters.class, (letters) -> {
		})).withMessageContaining("No call of JobBatchTests.Letters was recorded");
		assertThat(JobRequest.of(Letters.class, (letters) -> letters.send(42)))
			.hasToString("JobBatchTests.Letters.send(int)");
	}

	@Test
	void requestKeepsItsArguments() {
		this.contextRunner.run((context) -> {
			Object[] args = { 1 };
			JobRequest request = JobRequest.of("letters.send", args);
			args[0] = 2;
			context.getBean(Jobs.class).enqueueAll(List.of(request));
			assertThat(this.queue.sent()).containsExactly("[1]");
		});
	}

	static class Letters {

		@UniqueJob
		public void send(int to) {
		}

		@UniqueJob(key = "#text")
		public void text(String text) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.RAISE)
		public void raise(int to) {
		}

		public void ordinary() {
		}

	}

}
