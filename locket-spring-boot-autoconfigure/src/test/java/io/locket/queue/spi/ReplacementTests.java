package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.EnqueueResult.Replaced;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DuplicateStrategy#REPLACE}: due times, caps, claims and repeated
 * calls.
 */
class ReplacementTests extends AbstractQueueTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration HOUR = Duration.ofHours(1);

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING", "UNTIL_EXPIRED" })
	void jobStaysUniqueUntilItsNewDueTimeAndItsPeriodHavePassed(LockStrategy lock) {
		this.user.enqueue(job("a", lock).after(Duration.ofSeconds(10)).uniqueFor(MINUTE));
		assertThat(this.user.enqueue(job("b", lock).after(HOUR).uniqueFor(MINUTE))).isEqualTo(new Replaced("a"));
		this.user.advance(HOUR.plus(MINUTE).minusMillis(1));
		assertThat(this.user.enqueue(rejected("c", lock))).isEqualTo(new Duplicate("a", JobState.SCHEDULED));
		this.user.advance(Duration.ofMillis(1));
		assertThat(this.user.enqueue(rejected("d", lock))).isEqualTo(new Accepted("d"));
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXPIRED" })
	void periodOfAJobThatIsBroughtForwardCountsFromNow(LockStrategy lock) {
		this.user.enqueue(job("a", lock).after(HOUR).uniqueFor(MINUTE));
		this.user.enqueue(job("b", lock).start(NewJob.Start.at(this.harness.now().minusSeconds(30))).uniqueFor(MINUTE));
		this.user.advance(MINUTE.minusMillis(1));
		assertThat(this.user.enqueue(rejected("c", lock))).isEqualTo(new Duplicate("a", JobState.SCHEDULED));
		this.user.advance(Duration.ofMillis(1));
		assertThat(this.user.enqueue(rejected("d", lock))).isEqualTo(new Accepted("d"));
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXPIRED" })
	void periodOfAJobThatIsReadyStaysAsItIs(LockStrategy lock) {
		this.user.enqueue(job("a", lock).uniqueFor(MINUTE));
		this.user.advance(Duration.ofSeconds(50));
		assertThat(this.user.enqueue(job("b", lock).after(HOUR).uniqueFor(MINUTE))).isEqualTo(new Replaced("a"));
		this.user.advance(Duration.ofSeconds(10));
		assertThat(this.user.enqueue(rejected("c", lock))).isEqualTo(new Accepted("c"));
	}

	@Test
	void claimThatAnotherJobHasTakenSinceIsNotMoved() {
		LockStrategy lock = LockStrategy.UNTIL_EXPIRED;
		this.user.enqueue(job("a", lock).uniqueFor(MINUTE));
		this.user.advance(MINUTE);
		this.user.enqueue(job("b", lock).after(MINUTE).uniqueFor(MINUTE));
		assertThat(this.user.enqueue(job("c", lock).after(HOUR).uniqueFor(MINUTE))).isEqualTo(new Replaced("b"));
		this.store.cancel("a");
		assertThat(this.user.enqueue(rejected("d", lock))).isEqualTo(new Duplicate("b", JobState.SCHEDULED));
	}

	@Test
	void jobThatWaitsForARetryIsDueAsTheNewcomer() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTED));
		this.user.end(RunEnd.retry(run, HOUR, "it broke"));
		assertThat(this.user.find("a").lastError()).isEqualTo("it broke");
		assertThat(this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTED).arguments("[2]")))
			.isEqualTo(new Replaced("a"));
		assertThat(this.user.state("a")).isEqualTo(JobState.RETRY);
		assertThat(this.user.find("a").lastError()).isNull();
		assertThat(this.user.find("a").startAt()).isEqualTo(this.harness.now());
		ReservedJob again = this.user.take();
		assertThat(again.record().id()).isEqualTo("a");
		assertThat(again.record().arguments()).isEqualTo("[2]");
		assertThat(again.record().attempt()).isZero();
	}

	@Test
	void jobThatWaitsForARetryIsDueAtTheLaterTimeOfTheNewcomer() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTED));
		this.user.end(RunEnd.retry(run, HOUR, "it broke"));
		Instant due = this.harness.now().plus(MINUTE);
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTED).after(MINUTE));
		assertThat(this.user.find("a").startAt()).isEqualTo(due);
		assertThat(this.user.reserve(1, "q").next()).isEqualTo(MINUTE);
	}

	@Test
	void retryIsNotPutOff() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTED));
		this.user.end(RunEnd.retry(run, MINUTE, "it broke"));
		Instant due = this.user.find("a").startAt();
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTED).after(HOUR));
		assertThat(this.user.find("a").startAt()).isEqualTo(due);
		assertThat(this.user.find("a").attempt()).isZero();
	}

	@Test
	void idOfAReplacedJobIsNoRepetitionWithOtherArguments() {
		this.user.enqueue(job("a", LockStrategy.UNTIL_EXECUTED).arguments("[1]"));
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTED).arguments("[2]"));
		this.user.enqueue(job("c", LockStrategy.UNTIL_EXECUTED).arguments("[3]"));
		for (String other : List.of("[2]", "[3]", "[4]")) {
			assertThat(this.user.enqueue(job("a", LockStrategy.UNTIL_EXECUTED).arguments(other)))
				.isEqualTo(new Duplicate("a", JobState.READY));
		}
		assertThat(this.user.enqueue(job("a", LockStrategy.UNTIL_EXECUTED).arguments("[1]")))
			.isEqualTo(new Accepted("a"));
		assertThat(this.user.find("a").arguments()).isEqualTo("[3]");
	}

	@Test
	void idOfAReplacementIsNoRepetitionWithOtherArguments() {
		this.user.enqueue(job("a", LockStrategy.UNTIL_EXECUTED).arguments("[1]"));
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTED).arguments("[2]"));
		assertThat(this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTED).arguments("[7]")))
			.isEqualTo(new Duplicate("a", JobState.READY));
		assertThat(this.user.find("a").arguments()).isEqualTo("[2]");
		assertThat(this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTED).arguments("[2]")))
			.isEqualTo(new Replaced("a"));
	}

	private ReservedJob start(TestJob job) {
		this.user.enqueue(job);
		return this.user.take();
	}

	private static TestJob job(String id, LockStrategy lock) {
		return TestJob.of(id).with(lock, "k").onDuplicate(DuplicateStrategy.REPLACE);
	}

	private static TestJob rejected(String id, LockStrategy lock) {
		return job(id, lock).onDuplicate(DuplicateStrategy.REJECT);
	}

}
