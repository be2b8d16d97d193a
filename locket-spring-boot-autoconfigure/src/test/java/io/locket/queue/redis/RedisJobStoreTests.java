package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobListing;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.JobSighting;
import io.locket.queue.NewJob;
import io.locket.queue.PutBack;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.queue.SteerAction;
import io.locket.queue.SteerResult;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisJobStore} that look at what is particular to Redis.
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
	void pageThatHasLookedAtAThousandJobsMayBeEmpty() {
		this.fixture.queue
			.enqueue(IntStream.range(0, 1500).mapToObj((i) -> named("j" + i, (i < 1200) ? "other" : "job")).toList());
		JobPage first = this.store.list(new JobListing(JobState.READY, "default", "job", null, 1000, null));
		assertThat(first.jobs()).isEmpty();
		JobPage second = this.store.list(new JobListing(JobState.READY, "default", "job", null, 1000, first.cursor()));
		assertThat(second.jobs()).hasSize(300);
		assertThat(second.cursor()).isNull();
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
			JobPage page = this.store.list(new JobListing(state, "default", null, null, 1000, cursor));
			assertThat(page.jobs()).hasSizeBetween(1, 20);
			page.jobs().forEach((job) -> listed.add(job.id()));
			cursor = page.cursor();
		}
		while (cursor != null);
		assertThat(listed).doesNotHaveDuplicates().hasSize(40);
	}

	@Test
	void recordThatCannotBeReadIsLeftOut() {
		this.fixture.queue.enqueue(List.of(named("a", "job"), named("b", "job"), named("c", "job")));
		this.fixture.redis.opsForHash().put(this.fixture.name("jobs"), "b", "no record");
		JobListing all = new JobListing(JobState.READY, "default", null, null, 2, null);
		assertThat(this.store.list(all).jobs()).extracting(JobRecord::id).containsExactly("a", "c");
	}

	@Test
	void jobOfAQueueThatIsBeingRemovedEndsSoWhenItIsSteered() {
		this.fixture.queue.enqueue(List.of(named("a", "job"), named("b", "job")));
		String counters = this.fixture.redis.<String, String>opsForHash().get(this.fixture.name("state"), "q:default");
		this.fixture.redis.opsForHash()
			.put(this.fixture.name("state"), "q:default",
					counters.replaceFirst("\\{", "{\"removed_at\":" + this.fixture.now() + ","));
		assertThat(steer(new SteerAction(SteerAction.Kind.MOVE, "other", "move"), "a")).isEqualTo(SteerResult.REFUSED);
		assertThat(steer(new SteerAction(SteerAction.Kind.RUN_NOW, null, "run"), "b")).isEqualTo(SteerResult.REFUSED);
		assertThat(this.store.counts("default").in(JobState.REMOVED)).isEqualTo(2);
		assertThat(this.store.counts("other").movedIn()).isZero();
		assertThat(this.store.verify()).isEmpty();
	}

	private SteerResult steer(SteerAction action, String id) {
		return this.store.steer(action, List.of(JobSighting.of(id))).get(0);
	}

	/**
	 * A letter that was written before records had the time of their uniqueness.
	 */
	@Test
	void letterWithoutATimeOfItsUniquenessIsPutBackWithoutAClaim() {
		NewJob job = QueueFixture.job("a", LockStrategy.UNTIL_EXPIRED, "k");
		this.fixture.queue.enqueue(job);
		this.fixture.queue.settle(List.of(RunEnd.dead(this.fixture.reserve(1, "default").jobs().get(0), "it broke")),
				null);
		String record = this.fixture.redis.<String, String>opsForHash().get(this.fixture.name("jobs"), "a");
		this.fixture.redis.opsForHash()
			.put(this.fixture.name("jobs"), "a", record.replaceFirst("\"uf\":\\d+,?", "").replace(",}", "}"));
		this.fixture.advance(Duration.ofHours(2));
		assertThat(this.store.putBack(List.of(new PutBack("a", "b")))).containsExactly(new EnqueueResult.Accepted("b"));
		assertThat(this.store.occupant(job.key())).isEmpty();
		assertThat(this.store.verify()).isEmpty();
	}

	private static NewJob named(String id, String name) {
		NewJob job = QueueFixture.job(id, LockStrategy.NONE);
		return new NewJob(id, name, job.queue(), job.arguments(), null, job.lock(), job.onDuplicate(), job.onConflict(),
				job.start(), job.leaseFor(), null, job.holdAtLeast(), job.rescheduleAfter(), null, 3, null);
	}

	private static NewJob large(String id, String arguments) {
		NewJob job = QueueFixture.job(id, LockStrategy.NONE);
		return new NewJob(id, job.job(), job.queue(), arguments, null, job.lock(), job.onDuplicate(), job.onConflict(),
				job.start(), job.leaseFor(), null, job.holdAtLeast(), job.rescheduleAfter(), null, 3, null);
	}

}
