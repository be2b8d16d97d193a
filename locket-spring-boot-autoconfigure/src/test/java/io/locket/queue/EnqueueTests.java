package io.locket.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.spi.AbstractQueueTests;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobQueue#enqueue}: tickets, claims, replacement and repetition.
 */
class EnqueueTests extends AbstractQueueTests {

	@Test
	void recordHoldsWhatWasEnqueued() {
		JobKey key = TestJob.key("k");
		this.user.enqueue(TestJob.of("a")
			.in("mail")
			.arguments("[42,\"x\"]")
			.with(LockStrategy.UNTIL_EXECUTED, key)
			.onConflict(ConflictStrategy.RESCHEDULE)
			.retries(7)
			.trace("00-1-2-01"));
		JobRecord record = this.user.find("a");
		assertThat(record.version()).isEqualTo(JobRecord.VERSION);
		assertThat(record.job()).isEqualTo("job");
		assertThat(record.queue()).isEqualTo("mail");
		assertThat(record.arguments()).isEqualTo("[42,\"x\"]");
		assertThat(record.key()).isEqualTo(key);
		assertThat(record.key().text()).isEqualTo(key.text());
		assertThat(record.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
		assertThat(record.onConflict()).isEqualTo(ConflictStrategy.RESCHEDULE);
		assertThat(record.state()).isEqualTo(JobState.READY);
		assertThat(record.enqueuedAt()).isEqualTo(this.harness.now());
		assertThat(record.startedAt()).isNull();
		assertThat(record.endedAt()).isNull();
		assertThat(record.attempt()).isZero();
		assertThat(record.retries()).isEqualTo(7);
		assertThat(record.reclaims()).isZero();
		assertThat(record.leaseFor()).isEqualTo(TestJob.LEASE);
		assertThat(record.cancelled()).isFalse();
		assertThat(record.trace()).isEqualTo("00-1-2-01");
	}

	@Test
	void jobIsUnknownWhenItWasNeverEnqueued() {
		assertThat(this.store.find("nobody")).isEmpty();
	}

	@Test
	void resultsAreInTheOrderOfTheJobs() {
		assertThat(this.queue.enqueue(List.of(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").build(),
				TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k").build(), TestJob.of("c").build())))
			.containsExactly(new EnqueueResult.Accepted("a"), new EnqueueResult.Duplicate("a", JobState.READY),
					new EnqueueResult.Accepted("c"));
	}

	@Test
	void manyJobsKeepTheirOrder() {
		List<NewJob> jobs = IntStream.range(0, 250).mapToObj((i) -> TestJob.of("j" + i).build()).toList();
		assertThat(this.queue.enqueue(jobs)).hasSize(250).allMatch(EnqueueResult.Accepted.class::isInstance);
		assertThat(ids(this.user.reserve(250, "q").jobs()))
			.containsExactly(jobs.stream().map(NewJob::id).toArray(String[]::new));
	}

	@Test
	void jobWaitsWhenItsTimeHasNotCome() {
		this.user.enqueue(TestJob.of("a").after(Duration.ofSeconds(10)));
		JobRecord record = this.user.find("a");
		assertThat(record.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(record.startAt()).isEqualTo(this.harness.now().plusSeconds(10));
	}

	@Test
	void jobWaitsForAnInstant() {
		Instant start = this.harness.now().plusSeconds(10);
		this.user.enqueue(TestJob.of("a").start(NewJob.Start.at(start)));
		assertThat(this.user.find("a").startAt()).isEqualTo(start);
	}

	@Test
	void jobIsReadyAtOnceWhenItsTimeHasPassed() {
		this.user.enqueue(TestJob.of("a").start(NewJob.Start.at(this.harness.now().minusSeconds(10))));
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
	}

	@Test
	void sameIdIsAcceptedOnce() {
		this.user.enqueue(TestJob.of("a").arguments("[1]"));
		assertThat(this.user.enqueue(TestJob.of("a").arguments("[1]"))).isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(this.store.counts("q").accepted()).isOne();
		assertThat(this.user.reserve(3, "q").jobs()).hasSize(1);
	}

	@Test
	void sameIdIsAcceptedOnceWhenTheJobHasEnded() {
		this.user.enqueue(TestJob.of("a"));
		this.user.succeed(this.user.take());
		assertThat(this.user.enqueue(TestJob.of("a"))).isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(this.user.state("a")).isEqualTo(JobState.SUCCEEDED);
		assertThat(this.store.counts("q").accepted()).isOne();
	}

	@Test
	void sameIdIsAcceptedOnceWithinOneCall() {
		NewJob job = TestJob.of("a").build();
		assertThat(this.queue.enqueue(List.of(job, job))).containsOnly(new EnqueueResult.Accepted("a"));
		assertThat(this.store.counts("q").accepted()).isOne();
	}

	@Test
	void sameReplacementIsDoneOnce() {
		this.user.enqueue(replacing("a", "[1]"));
		TestJob second = replacing("b", "[2]");
		assertThat(this.user.enqueue(second)).isEqualTo(new EnqueueResult.Replaced("a"));
		this.user.enqueue(replacing("c", "[3]"));
		assertThat(this.user.enqueue(second)).isEqualTo(new EnqueueResult.Replaced("a"));
		assertThat(this.user.find("a").arguments()).isEqualTo("[3]");
	}

	@Test
	void sameReplacementIsDoneOnceWhenTheJobHasEnded() {
		this.user.enqueue(replacing("a", "[1]"));
		TestJob second = replacing("b", "[2]");
		this.user.enqueue(second);
		this.user.succeed(this.user.take());
		assertThat(this.user.enqueue(second)).isEqualTo(new EnqueueResult.Replaced("a"));
		assertThat(this.store.find("b")).isEmpty();
	}

	@Test
	void replacementTakesArgumentsTraceAndKeyText() {
		this.user.enqueue(replacing("a", "[1]").trace("first"));
		this.user.enqueue(TestJob.of("b")
			.in("other")
			.with(LockStrategy.UNTIL_EXECUTED, TestJob.key("k", "text of b"))
			.onDuplicate(DuplicateStrategy.REPLACE)
			.arguments("[2]")
			.trace("second"));
		JobRecord record = this.user.find("a");
		assertThat(record.queue()).isEqualTo("q");
		assertThat(record.arguments()).isEqualTo("[2]");
		assertThat(record.trace()).isEqualTo("second");
		assertThat(record.key().text()).isEqualTo("text of b");
		assertThat(this.store.find("b")).isEmpty();
	}

	@Test
	void replacementKeepsThePlace() {
		this.user.enqueue(replacing("a", "[1]"));
		this.user.enqueue(TestJob.of("x"));
		this.user.enqueue(replacing("b", "[2]"));
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("a", "x");
	}

	@Test
	void replacementOfARetryKeepsTheTimeAndStartsCountingAnew() {
		this.user.enqueue(replacing("a", "[1]"));
		this.user.die();
		this.user.fail(this.user.take());
		Instant due = this.user.find("a").startAt();
		this.user.enqueue(replacing("b", "[2]").after(Duration.ofMinutes(5)));
		JobRecord record = this.user.find("a");
		assertThat(record.state()).isEqualTo(JobState.RETRY);
		assertThat(record.startAt()).isEqualTo(due);
		assertThat(record.attempt()).isZero();
		assertThat(record.reclaims()).isZero();
	}

	@Test
	void replacementForgetsWhatTheJobHasFailedWith() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.fail(this.user.take());
		assertThat(this.user.find("a").lastError()).isEqualTo("it broke");
		this.user
			.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(DuplicateStrategy.REPLACE));
		assertThat(this.user.find("a").lastError()).isNull();
	}

	@Test
	void replacementOfAScheduledJobMovesItsTime() {
		this.user.enqueue(replacing("a", "[1]").after(Duration.ofSeconds(10)));
		this.user.advance(Duration.ofSeconds(5));
		this.user.enqueue(replacing("b", "[2]").after(Duration.ofSeconds(10)));
		assertThat(this.user.find("a").startAt()).isEqualTo(this.harness.now().plusSeconds(10));
		this.user.advance(Duration.ofSeconds(5));
		this.user.serve();
		assertThat(this.user.state("a")).isEqualTo(JobState.SCHEDULED);
		this.user.advance(Duration.ofSeconds(5));
		assertThat(this.user.take().record().arguments()).isEqualTo("[2]");
	}

	@Test
	void replacementMovesTheTimeWithinTheDelayOfTheNewcomer() {
		Instant first = this.harness.now();
		this.user.enqueue(replacing("a", "[1]").after(Duration.ofSeconds(10)));
		this.user.advance(Duration.ofSeconds(5));
		this.user.enqueue(replacing("b", "[2]").after(Duration.ofSeconds(10)).maxDelay(Duration.ofSeconds(12)));
		assertThat(this.user.find("a").startAt()).isEqualTo(first.plusSeconds(12));
	}

	@Test
	void replacementThatIsDueNowMakesTheJobDue() {
		this.user.enqueue(replacing("a", "[1]").after(Duration.ofSeconds(10)));
		this.user.enqueue(replacing("b", "[2]"));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void ticketIsMetFromAnotherQueue() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		assertThat(this.user.enqueue(TestJob.of("b").in("other").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.READY));
	}

	@Test
	void ticketEndsWithItsCap() {
		this.user.enqueue(capped("a").after(Duration.ofSeconds(10)));
		this.user.advance(Duration.ofSeconds(69));
		assertThat(this.user.enqueue(capped("b"))).isEqualTo(new EnqueueResult.Duplicate("a", JobState.SCHEDULED));
		this.user.advance(Duration.ofSeconds(1));
		assertThat(this.user.enqueue(capped("c"))).isEqualTo(new EnqueueResult.Accepted("c"));
		assertThat(this.user.enqueue(capped("d"))).isEqualTo(new EnqueueResult.Duplicate("c", JobState.READY));
	}

	@Test
	void capIsNotShortenedByADueTimeThatHasPassed() {
		this.user.enqueue(capped("a").start(NewJob.Start.at(this.harness.now().minusSeconds(50))));
		this.user.advance(Duration.ofSeconds(59));
		assertThat(this.user.enqueue(capped("b"))).isEqualTo(new EnqueueResult.Duplicate("a", JobState.READY));
	}

	@Test
	void endOfAJobWhoseCapHasPassedLeavesTheTicketOfItsSuccessor() {
		this.user.enqueue(capped("a"));
		this.user.advance(Duration.ofSeconds(60));
		this.user.enqueue(capped("b"));
		this.store.cancel("a");
		assertThat(this.user.enqueue(capped("c"))).isEqualTo(new EnqueueResult.Duplicate("b", JobState.READY));
	}

	@Test
	void periodOfADirectCallRefusesJobs() {
		this.harness.claim(TestJob.key("k"), Duration.ofSeconds(10));
		assertThat(this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXPIRED, "k")))
			.isEqualTo(new EnqueueResult.Duplicate(null, null));
		this.user.advance(Duration.ofSeconds(10));
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXPIRED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("b"));
	}

	@Test
	void periodCountsFromTheDueTimeAndOutlivesTheJob() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXPIRED, "k").after(Duration.ofMinutes(5)));
		this.user.advance(Duration.ofMinutes(5));
		this.user.succeed(this.user.take());
		this.user.advance(Duration.ofMinutes(10).minusMillis(1));
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXPIRED, "k"))).isInstanceOfSatisfying(
				EnqueueResult.Duplicate.class, (duplicate) -> assertThat(duplicate.of()).isEqualTo("a"));
		this.user.advance(Duration.ofMillis(1));
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXPIRED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("c"));
	}

	@Test
	void acceptedJobsAreCounted() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b").after(Duration.ofSeconds(1)));
		this.user.enqueue(TestJob.of("c").in("other"));
		QueueCounts counts = this.store.counts("q");
		assertThat(counts.accepted()).isEqualTo(2);
		assertThat(counts.in(JobState.READY)).isOne();
		assertThat(counts.in(JobState.SCHEDULED)).isOne();
		assertThat(this.store.queues()).containsExactly("other", "q");
		assertThat(this.store.counts("unknown").accepted()).isZero();
	}

	private static TestJob replacing(String id, String arguments) {
		return TestJob.of(id)
			.with(LockStrategy.UNTIL_EXECUTED, "k")
			.onDuplicate(DuplicateStrategy.REPLACE)
			.arguments(arguments);
	}

	private static TestJob capped(String id) {
		return TestJob.of(id).with(LockStrategy.UNTIL_EXECUTED, "k").uniqueFor(Duration.ofSeconds(60));
	}

	@Test
	void idOfAnotherJobIsADuplicate() {
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.enqueue(TestJob.of("a").arguments("[7]")))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.READY));
		assertThat(this.user.find("a").arguments()).isNotEqualTo("[7]");
		assertThat(this.user.enqueue(TestJob.of("a"))).isEqualTo(new EnqueueResult.Accepted("a"));
	}

}
