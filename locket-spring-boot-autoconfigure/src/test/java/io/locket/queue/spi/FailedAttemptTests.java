package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.FailedAttempt;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the history of failed attempts.
 */
class FailedAttemptTests extends AbstractQueueTests {

	private static final Duration RAN = Duration.ofSeconds(2);

	@Test
	void attemptsAreKeptWithTheirTimesAndErrors() {
		this.user.enqueue(TestJob.of("a").retries(5));
		Instant firstStart = this.harness.now();
		fail("first", "trace 1");
		Instant firstEnd = this.harness.now();
		this.user.advance(Duration.ofMinutes(1));
		Instant secondStart = this.harness.now();
		ReservedJob second = this.user.take();
		String instance = this.user.find("a").instance();
		this.user.advance(RAN);
		this.user.end(RunEnd.dead(second, "second").withStackTrace("trace 2"));
		assertThat(this.store.attempts("a")).containsExactly(
				new FailedAttempt(2, secondStart, this.harness.now(), instance, "second", "trace 2"),
				new FailedAttempt(1, firstStart, firstEnd, instance, "first", "trace 1"));
		assertThat(this.user.state("a")).isEqualTo(JobState.DEAD);
	}

	@Test
	void textsAreKeptToTheLetter() {
		this.user.enqueue(TestJob.of("a"));
		String error = "1 \"50 %\" \u20ac \ud83d\ude00 \u0000 12 ";
		fail(error, " 3 \u20ac\n\tat a.b(C.java:1)\n");
		assertThat(this.store.attempts("a")).singleElement().satisfies((attempt) -> {
			assertThat(attempt.error()).isEqualTo(error);
			assertThat(attempt.stackTrace()).isEqualTo(" 3 \u20ac\n\tat a.b(C.java:1)\n");
		});
		assertThat(this.user.find("a").lastError()).isEqualTo(error);
	}

	@Test
	void equalAttemptsEachHaveTheirTexts() {
		this.user.enqueue(TestJob.of("a").retries(10));
		List.of("x", "x", "y", "y", "x").forEach((text) -> {
			fail(text, "trace " + text);
			this.user.advance(Duration.ofMinutes(1));
		});
		assertThat(this.store.attempts("a")).extracting(FailedAttempt::error).containsExactly("x", "y", "y", "x", "x");
		assertThat(this.store.attempts("a")).extracting(FailedAttempt::stackTrace)
			.containsExactly("trace x", "trace y", "trace y", "trace x", "trace x");
		assertThat(this.store.attempts("a")).extracting(FailedAttempt::number).containsExactly(5, 4, 3, 2, 1);
	}

	@Test
	void attemptsWithTheSameErrorHaveTheirOwnTraces() {
		this.user.enqueue(TestJob.of("a"));
		fail("x", "trace 1");
		this.user.advance(Duration.ofMinutes(1));
		fail("x", "trace 2");
		assertThat(this.store.attempts("a")).extracting(FailedAttempt::stackTrace)
			.containsExactly("trace 2", "trace 1");
	}

	@Test
	void onlyTheLastAttemptsAreKept() {
		this.user.enqueue(TestJob.of("a").retries(100));
		for (int i = 1; i <= 15; i++) {
			fail("error " + i, "trace " + i);
			this.user.advance(Duration.ofMinutes(1));
		}
		assertThat(this.store.attempts("a")).extracting(FailedAttempt::number)
			.containsExactly(15, 14, 13, 12, 11, 10, 9, 8, 7, 6);
	}

	@Test
	void attemptWithoutErrorOrTraceIsKept() {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = this.user.take();
		this.user.end(new RunEnd("a", job.token(), RunEnd.Kind.RETRY, Duration.ofMinutes(1), null));
		assertThat(this.store.attempts("a")).singleElement().satisfies((attempt) -> {
			assertThat(attempt.error()).isNull();
			assertThat(attempt.stackTrace()).isNull();
		});
	}

	@Test
	void repeatedEndKeepsOneAttempt() {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = this.user.take();
		RunEnd end = RunEnd.retry(job, Duration.ofMinutes(1), "it broke").withStackTrace("trace");
		this.user.end(end);
		this.user.advance(Duration.ofSeconds(1));
		this.user.end(end);
		this.user.end(RunEnd.dead(job, "another error"));
		assertThat(this.store.attempts("a")).extracting(FailedAttempt::error).containsExactly("it broke");
	}

	@ParameterizedTest
	@EnumSource(names = { "SUCCEEDED", "RETURNED", "DEFER", "UNKNOWN" })
	void otherEndsAreNoAttempts(RunEnd.Kind kind) {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = this.user.take();
		this.user.end(new RunEnd("a", job.token(), kind, Duration.ofMinutes(1), "reason").withStackTrace("trace"));
		assertThat(this.store.attempts("a")).isEmpty();
	}

	@Test
	void attemptsStayAfterASuccess() {
		this.user.enqueue(TestJob.of("a"));
		fail("it broke", "trace");
		this.user.advance(Duration.ofMinutes(1));
		this.user.succeed(this.user.take());
		assertThat(this.user.find("a").lastError()).isNull();
		assertThat(this.store.attempts("a")).hasSize(1);
	}

	@Test
	void endOfARunThatHasLostItsJobIsNoAttempt() {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob stale = this.user.take();
		this.user.advance(TestJob.LEASE);
		this.user.serve();
		this.user.end(RunEnd.retry(stale, Duration.ofMinutes(1), "stale"));
		assertThat(this.store.attempts("a")).isEmpty();
	}

	@Test
	void deathOfTheWorkerIsAnAttemptWhenItCounts() {
		this.user.enqueue(TestJob.of("a"));
		for (int i = 0; i < 3; i++) {
			assertThat(this.store.attempts("a")).isEmpty();
			this.user.take();
			this.user.advance(TestJob.LEASE);
			this.user.serve();
		}
		assertThat(this.store.attempts("a")).singleElement().satisfies((attempt) -> {
			assertThat(attempt.error()).startsWith("The worker of this job died 3 times");
			assertThat(attempt.stackTrace()).isNull();
			assertThat(Duration.between(attempt.startedAt(), attempt.endedAt())).isGreaterThanOrEqualTo(TestJob.LEASE);
		});
	}

	@Test
	void replacedJobHasNoAttempts() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		fail("it broke", "trace");
		this.user
			.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(DuplicateStrategy.REPLACE));
		assertThat(this.store.attempts("a")).isEmpty();
		this.user.advance(Duration.ofMinutes(1));
		fail("it broke again", "trace");
		assertThat(this.store.attempts("a")).extracting(FailedAttempt::number).containsExactly(1);
	}

	@Test
	void requeuedJobHasNoAttemptsAndTheDeadLetterKeepsIts() {
		this.user.enqueue(TestJob.of("a"));
		this.user.end(RunEnd.dead(this.user.take(), "it broke"));
		this.user.requeue("a", "again");
		assertThat(this.store.attempts("again")).isEmpty();
		assertThat(this.store.attempts("a")).hasSize(1);
	}

	@Test
	void unknownJobHasNoAttempts() {
		assertThat(this.store.attempts("nobody")).isEmpty();
	}

	private void fail(String error, String trace) {
		ReservedJob job = this.user.take();
		this.user.advance(RAN);
		this.user.end(RunEnd.retry(job, Duration.ofSeconds(1), error).withStackTrace(trace));
	}

}
