package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for runs that return to waiting while an equal job waits for a later time.
 */
class SupersededTests extends AbstractQueueTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration WEEK = Duration.ofDays(7);

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_AND_WHILE_EXECUTING" })
	void failedRunPassesItsDueTimeOn(LockStrategy lock) {
		ReservedJob run = start(job("a", lock));
		this.user.enqueue(job("b", lock).in("other").after(WEEK));
		Instant due = this.harness.now().plus(SECOND);
		assertThat(this.user.fail(run)).isEqualTo(new EndResult("a", true, JobState.SUPERSEDED));
		assertThat(this.user.find("a").supersededBy()).isEqualTo("b");
		assertThat(this.user.state("b")).isEqualTo(JobState.SCHEDULED);
		assertThat(this.user.find("b").startAt()).isEqualTo(due);
		assertThat(this.user.reserve(1, "other").next()).isEqualTo(SECOND);
		this.user.advance(SECOND);
		assertThat(ids(this.user.reserve(1, "other").jobs())).containsExactly("b");
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_AND_WHILE_EXECUTING" })
	void deferredRunPassesItsDueTimeOn(LockStrategy lock) {
		ReservedJob run = start(job("a", lock));
		this.user.enqueue(job("b", lock).after(WEEK));
		this.user.end(RunEnd.defer(run, SECOND, "unknown"));
		this.user.advance(SECOND);
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_AND_WHILE_EXECUTING" })
	void runThatIsReturnedMakesTheOtherJobReady(LockStrategy lock) {
		ReservedJob run = start(job("a", lock));
		this.user.enqueue(job("b", lock).after(WEEK));
		Settlement settlement = this.queue.settle(List.of(RunEnd.returned(run)), this.user.request(1, "q"));
		assertThat(settlement.ends()).containsExactly(new EndResult("a", true, JobState.SUPERSEDED));
		assertThat(ids(settlement.next().jobs())).containsExactly("b");
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_AND_WHILE_EXECUTING" })
	void runOfADeadWorkerMakesTheOtherJobReady(LockStrategy lock) {
		start(job("a", lock));
		this.user.enqueue(job("b", lock).after(WEEK));
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(JobState.SUPERSEDED);
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void runThatLostItsKeyMakesTheOtherJobReady() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_AND_WHILE_EXECUTING));
		this.user.enqueue(job("b", LockStrategy.UNTIL_AND_WHILE_EXECUTING).after(WEEK));
		this.harness.releaseForeign(TestJob.key("k"));
		assertThat(this.user.succeed(run)).isEqualTo(new EndResult("a", false, JobState.SUPERSEDED));
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void retryInheritsAnEarlierTime() {
		List<ReservedJob> runs = Stream.of("a", "b")
			.map((id) -> start(job(id, LockStrategy.UNTIL_EXECUTING).retries(3)))
			.toList();
		this.user.end(RunEnd.retry(runs.get(1), WEEK, "it broke"));
		this.user.fail(runs.get(0));
		assertThat(this.user.state("a")).isEqualTo(JobState.SUPERSEDED);
		assertThat(this.user.state("b")).isEqualTo(JobState.RETRY);
		this.user.advance(SECOND);
		ReservedJob taken = this.user.take();
		assertThat(taken.record().id()).isEqualTo("b");
		assertThat(taken.record().attempt()).isOne();
	}

	@Test
	void farTimeOfARetryIsInherited() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTING));
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTING).after(SECOND));
		this.user.end(RunEnd.retry(run, Duration.ofDays(365 * 9000), "it broke"));
		this.user.advance(SECOND);
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void earlierTimeOfTheOtherJobStays() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTING));
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTING).after(SECOND));
		Instant due = this.user.find("b").startAt();
		this.user.end(RunEnd.retry(run, WEEK, "it broke"));
		assertThat(this.user.find("b").startAt()).isEqualTo(due);
	}

	@Test
	void placeOfTheOtherJobStaysWhenItIsReady() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTING));
		Arrays.asList(job("b", LockStrategy.UNTIL_EXECUTING), TestJob.of("c")).forEach(this.user::enqueue);
		this.user.end(RunEnd.returned(run));
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("b", "c");
	}

	/**
	 * The other job has to be due when the superseded one would have been.
	 */
	@Test
	void timeThatWasInheritedIsNotPutOffByAReplacement() {
		for (Duration before : List.of(WEEK, Duration.ofMillis(500))) {
			ReservedJob run = start(job("a" + before, LockStrategy.UNTIL_EXECUTING));
			this.user.enqueue(job("b" + before, LockStrategy.UNTIL_EXECUTING).after(before));
			Instant due = this.harness.now().plus(SECOND);
			this.user.fail(run);
			this.user.enqueue(job("c" + before, LockStrategy.UNTIL_EXECUTING).onDuplicate(DuplicateStrategy.REPLACE)
				.arguments("[2]")
				.after(WEEK));
			assertThat(this.user.find("b" + before).startAt()).isEqualTo(due);
			this.user.advance(SECOND);
			ReservedJob taken = this.user.take();
			assertThat(taken.record().id()).isEqualTo("b" + before);
			assertThat(taken.record().arguments()).isEqualTo("[2]");
			this.user.succeed(taken);
		}
	}

	@Test
	void timeThatWasInheritedDoesNotBoundAReplacementOfARescheduledJob() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTING));
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTING).after(WEEK));
		this.user.fail(run);
		Instant later = this.harness.now().plus(WEEK);
		UpdateAction reschedule = new UpdateAction(UpdateAction.Kind.RESCHEDULE, null, later, "step");
		assertThat(this.store.update(reschedule, List.of(ExpectedJob.of("b")))).containsExactly(UpdateResult.DONE);
		this.user.enqueue(job("c", LockStrategy.UNTIL_EXECUTING).onDuplicate(DuplicateStrategy.REPLACE)
			.arguments("[2]")
			.after(WEEK));
		assertThat(this.user.find("b").startAt()).isEqualTo(later);
	}

	@Test
	void repeatedEndPassesTheDueTimeOnOnce() {
		ReservedJob run = start(job("a", LockStrategy.UNTIL_EXECUTING));
		this.user.enqueue(job("b", LockStrategy.UNTIL_EXECUTING).after(WEEK));
		RunEnd end = RunEnd.returned(run);
		this.user.end(end);
		ReservedJob taken = this.user.take();
		this.user.end(RunEnd.retry(taken, WEEK, "it broke"));
		Instant due = this.user.find("b").startAt();
		assertThat(this.user.end(end)).isEqualTo(new EndResult("a", true, JobState.SUPERSEDED));
		assertThat(this.user.find("b").startAt()).isEqualTo(due);
	}

	private ReservedJob start(TestJob job) {
		this.user.enqueue(job);
		return this.user.take();
	}

	private static TestJob job(String id, LockStrategy lock) {
		return TestJob.of(id).with(lock, "k");
	}

}
