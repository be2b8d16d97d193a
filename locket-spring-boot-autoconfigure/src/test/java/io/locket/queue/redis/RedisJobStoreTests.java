package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisJobStore} that are specific to Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisJobStoreTests {

	private final QueueFixture fixture = QueueFixture.manual();

	private final RedisJobStore store = this.fixture.store;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void queuesThatAnOverviewLeavesOutAreWarnedOfOnce(CapturedOutput output) {
		this.fixture.queue
			.enqueue(IntStream.range(0, 1000).mapToObj((i) -> TestJob.of("j" + i).in("q" + i).build()).toList());
		assertThat(this.store.overview().queues()).hasSize(1000);
		assertThat(output).doesNotContain("queues: overviews and meters leave out");
		this.fixture.queue.enqueue(List.of(TestJob.of("late").in("late").build()));
		assertThat(this.store.overview().queues()).hasSize(1000);
		assertThat(this.store.overview().queues()).hasSize(1000);
		assertThat(output.getOut()).containsOnlyOnce("There are more than 1000 queues: overviews and meters leave out");
		this.store.remove("late");
		assertThat(this.store.queues()).hasSize(1001);
		assertThat(this.store.overview().queues()).hasSize(1000);
	}

	@Test
	void pageThatHasReadFiveHundredJobsMayBeEmpty() {
		this.fixture.queue
			.enqueue(IntStream.range(0, 1000).mapToObj((i) -> named("j" + i, (i < 600) ? "other" : "job")).toList());
		JobPage first = this.store.list(new JobQuery(JobState.READY, "default", "job", null, 1000, null));
		assertThat(first.jobs()).isEmpty();
		JobPage second = this.store.list(new JobQuery(JobState.READY, "default", "job", null, 1000, first.cursor()));
		assertThat(second.jobs()).hasSize(400);
	}

	/**
	 * Redis reads no more of them at once than a page may have.
	 */
	@ParameterizedTest
	@EnumSource(names = { "READY", "RUNNING", "DEAD" })
	void pageOfLargeJobsIsShort(JobState state) {
		String arguments = "[\"" + "x".repeat(100_000) + "\"]";
		this.fixture.queue.enqueue(IntStream.range(0, 40).mapToObj((i) -> large("j" + i, arguments)).toList());
		if (state != JobState.READY) {
			List<ReservedJob> runs = this.fixture.reserve(40, "default").jobs();
			if (state == JobState.DEAD) {
				this.fixture.queue.settle(runs.stream().map((run) -> RunEnd.dead(run, "it broke")).toList(), null);
			}
		}
		List<String> listed = new ArrayList<>();
		String cursor = null;
		do {
			JobPage page = this.store.list(new JobQuery(state, "default", null, null, 1000, cursor));
			assertThat(page.jobs()).hasSizeBetween(1, 20);
			page.jobs().forEach((job) -> listed.add(job.id()));
			cursor = page.cursor();
		}
		while (cursor != null);
		assertThat(listed).doesNotHaveDuplicates().hasSize(40);
	}

	/**
	 * Checks a counter that is wrong, as a fail-over may leave it.
	 */
	@Test
	void counterBelowZeroIsReturnedAsItIs() {
		this.fixture.count("default", (counters) -> counters.with("parked", -3).with("letters", -1));
		assertThat(this.store.counts("default")).satisfies((counts) -> {
			assertThat(counts.in(JobState.PARKED)).isEqualTo(-3);
			assertThat(counts.deadLetters()).isEqualTo(-1);
			assertThat(counts.in(JobState.READY)).isZero();
		});
	}

	@Test
	void recordThatCannotBeReadIsLeftOut() {
		this.fixture.queue.enqueue(List.of(named("a", "job"), named("b", "job"), named("c", "job")));
		this.fixture.record("b", "no record");
		JobQuery all = new JobQuery(JobState.READY, "default", null, null, 2, null);
		assertThat(this.store.list(all).jobs()).extracting(JobRecord::id).containsExactly("a", "c");
	}

	@Test
	void jobOfAQueueThatIsBeingRemovedEndsSoWhenItIsUpdated() {
		this.fixture.queue.enqueue(List.of(named("a", "job"), named("b", "job")));
		this.fixture.count("default", (counters) -> counters.with("removed_at", this.fixture.now()));
		assertThat(update(new UpdateAction(UpdateAction.Kind.MOVE, "other", "move"), "a"))
			.isEqualTo(UpdateResult.REFUSED);
		assertThat(update(new UpdateAction(UpdateAction.Kind.RUN_NOW, null, "run"), "b"))
			.isEqualTo(UpdateResult.REFUSED);
		assertThat(this.store.counts("default").in(JobState.REMOVED)).isEqualTo(2);
		assertThat(this.store.counts("other").movedIn()).isZero();
		assertThat(this.store.verify()).isEmpty();
	}

	private UpdateResult update(UpdateAction action, String id) {
		return this.store.update(action, List.of(ExpectedJob.of(id))).get(0);
	}

	@Test
	void heldKeyIsNotCheckedAnyMoreWhenItsLastParkedJobIsCancelled() {
		this.fixture.takeForeign(QueueFixture.key("k"), Duration.ofHours(1));
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, "k"));
		assertThat(this.fixture.reserve(1, "default").next()).isLessThan(Duration.ofSeconds(2));
		assertThat(this.fixture.store.cancel("a")).isEqualTo(CancelResult.CANCELLED);
		this.fixture.advance(Duration.ofSeconds(2));
		Duration next = this.fixture.reserve(1, "default").next();
		assertThat(next == null || next.compareTo(Duration.ofMinutes(1)) > 0).as("next check in " + next).isTrue();
	}

	/**
	 * A letter that was written before records had the time of their uniqueness.
	 */
	@Test
	void deadLetterWithoutATimeOfItsUniquenessIsRequeuedWithoutAClaim() {
		NewJob job = QueueFixture.job("a", LockStrategy.UNTIL_EXPIRED, "k");
		this.fixture.queue.enqueue(job);
		this.fixture.queue.settle(List.of(RunEnd.dead(this.fixture.reserve(1, "default").jobs().get(0), "it broke")),
				null);
		this.fixture.change("a", (record) -> record.with("uf", 0));
		this.fixture.advance(Duration.ofHours(2));
		assertThat(this.store.requeue(List.of(new RequeuedJob("a", "b"))))
			.containsExactly(new EnqueueResult.Accepted("b"));
		assertThat(this.store.blocker(job.key(), true)).isEmpty();
		assertThat(this.store.verify()).isEmpty();
	}

	private static NewJob named(String id, String name) {
		NewJob job = QueueFixture.job(id, LockStrategy.NONE);
		return job.copy().id(id).job(name).retries(3).build();
	}

	private static NewJob large(String id, String arguments) {
		NewJob job = QueueFixture.job(id, LockStrategy.NONE);
		return job.copy().id(id).arguments(arguments).retries(3).build();
	}

}
