package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.KeyBlocker;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the segments of ready jobs. A segment has four places here.
 */
class ReadySegmentsTests {

	private static final int SEGMENT = 4;

	/**
	 * Maximum number of segments that are counted, see {@code ready/size.lua}.
	 */
	private static final int COUNTED_SEGMENTS = 5000;

	private final QueueFixture fixture = QueueFixture.manual();

	private final QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()));

	private final QueueFixture general = this.fixture.with(GeneralScripts.of(QueueFixture.manualScripts()));

	/**
	 * The fast path leaves the first job of a queue to the general script.
	 */
	@BeforeEach
	void createQueue() {
		enqueue(this.fixture, 1);
		succeed(this.fixture, this.fixture.reserve(1, "default").jobs());
	}

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.general.close();
		this.fast.close();
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 4, 5, 8, 30 })
	void jobsAreHandedOutByPlaceAndEmptySegmentsAreRemoved(int batch) {
		for (QueueFixture scripts : List.of(this.fast, this.general)) {
			List<String> ids = enqueue(scripts, 21);
			assertThat(segments()).containsExactly(numbers(ids));
			List<String> taken = new ArrayList<>();
			while (taken.size() < ids.size()) {
				List<ReservedJob> jobs = scripts.reserve(batch, "default").jobs();
				assertThat(jobs).hasSize(Math.min(batch, ids.size() - taken.size()));
				jobs.forEach((job) -> taken.add(job.record().id()));
				assertThat(segments()).containsExactly(numbers(ids.subList(taken.size(), ids.size())));
				succeed(scripts, jobs);
			}
			assertThat(taken).containsExactlyElementsOf(ids);
		}
	}

	@Test
	void singleJobsAndBulksShareASegment() {
		enqueue(this.fast, 1);
		enqueue(this.fast, 2);
		enqueue(this.general, 1);
		enqueue(this.fast, 2);
		assertThat(segments()).containsExactly("0", "1");
		assertThat(this.fixture.redis.opsForZSet().zCard(segment(0))).isEqualTo(2);
		assertThat(this.fixture.redis.opsForZSet().zCard(segment(1))).isEqualTo(4);
	}

	/**
	 * Each job is alone in its segment.
	 */
	@Test
	void jobsOfManySegmentsAreHandedOutByOneCall() {
		List<String> ids = enqueue(this.fast, 40);
		List<String> left = IntStream.range(0, ids.size()).filter((i) -> i % SEGMENT == 2).mapToObj(ids::get).toList();
		ids.stream().filter((id) -> !left.contains(id)).forEach(this.fixture.store::cancel);
		assertThat(this.fast.reserveIds(7, "default")).containsExactlyElementsOf(left.subList(0, 7));
		assertThat(this.fast.reserveIds(7, "default")).containsExactlyElementsOf(left.subList(7, 10));
		assertThat(segments()).isEmpty();
	}

	@Test
	void jobComesBackToItsPlace() {
		List<String> ids = enqueue(this.fast, 10);
		List<ReservedJob> jobs = this.fast.reserve(6, "default").jobs();
		assertThat(segments()).containsExactly("2");
		this.fixture.queue.settle(List.of(RunEnd.returned(jobs.get(1))), null);
		assertThat(segments()).containsExactly("0", "2");
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly(ids.get(1), ids.get(6));
	}

	@Test
	void parkedJobComesBackToItsPlace() {
		this.fixture.takeForeign(QueueFixture.key("key"), Duration.ofSeconds(5));
		this.fixture.queue.enqueue(QueueFixture.job("parked", LockStrategy.WHILE_EXECUTING, "key"));
		List<String> ids = enqueue(this.fast, 10);
		assertThat(this.fixture.reserveIds(4, "default")).containsExactlyElementsOf(ids.subList(0, 4));
		assertThat(segments()).containsExactly("1", "2", "3");
		this.fixture.releaseForeign(QueueFixture.key("key"));
		this.fixture.advance(Duration.ofSeconds(6));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("parked", ids.get(4));
	}

	@Test
	void movedJobsLeaveNoSegmentBehind() {
		List<String> ids = enqueue(this.fast, 9);
		this.fixture.store.update(new UpdateAction(UpdateAction.Kind.MOVE, "other", "step"),
				ids.stream().map(ExpectedJob::of).toList());
		assertThat(segments()).isEmpty();
		assertThat(this.fixture.reserveIds(9, "other")).containsExactlyElementsOf(ids);
	}

	@Test
	void pagesGoOverAllSegments() {
		List<String> ids = enqueue(this.fast, 350);
		List<String> listed = new ArrayList<>();
		JobPage page = page(null);
		while (page.cursor() != null) {
			page.jobs().stream().map(JobRecord::id).forEach(listed::add);
			// The next page begins behind a job that is gone.
			this.fixture.store.cancel(listed.get(listed.size() - 1));
			page = page(page.cursor());
		}
		page.jobs().stream().map(JobRecord::id).forEach(listed::add);
		assertThat(listed).containsExactlyElementsOf(ids);
	}

	@Test
	void positionOfAJobCountsTheSegmentsBefore() {
		List<String> ids = enqueue(this.fast, 10);
		this.fixture.queue.enqueue(QueueFixture.job("unique", LockStrategy.UNTIL_EXECUTED, "key"));
		assertThat(position()).isEqualTo(10);
		this.fixture.store.cancel(ids.get(3));
		this.fast.reserve(1, "default");
		assertThat(position()).isEqualTo(8);
	}

	@Test
	void positionBehindTooManySegmentsIsUnknown() {
		for (int i = 0; i < COUNTED_SEGMENTS * SEGMENT; i += 1000) {
			enqueue(this.fast, 1000);
		}
		this.fixture.queue.enqueue(QueueFixture.job("unique", LockStrategy.UNTIL_EXECUTED, "key"));
		assertThat(position()).isEqualTo(COUNTED_SEGMENTS * SEGMENT);
		enqueue(this.fast, SEGMENT);
		this.fixture.store.cancel("unique");
		this.fixture.queue.enqueue(QueueFixture.job("behind", LockStrategy.UNTIL_EXECUTED, "key"));
		assertThat(position()).isEqualTo(-1);
		this.fixture.store.remove("default");
	}

	@Test
	void removalGoesOverAllSegments() {
		enqueue(this.fast, 350);
		assertThat(this.fixture.store.remove("default")).isEqualTo(350);
		assertThat(segments()).isEmpty();
	}

	/**
	 * Only damaged data has such a number.
	 */
	@Test
	void numbersOfEmptySegmentsDoNotHideTheJobsBehindThem() {
		enqueue(this.fast, 40);
		List<ReservedJob> taken = this.fast.reserve(38, "default").jobs();
		IntStream.range(0, 9)
			.forEach((i) -> this.fixture.redis.opsForZSet()
				.add(this.fixture.name("ready:default"), Integer.toString(i), i));
		assertThat(this.fixture.store.overview().queues().get(0).oldestWaiting()).isNotNull();
		assertThat(this.fixture.reserve(1, "default").jobs()).hasSize(1);
		assertThat(segments()).containsExactly("10");
		succeed(this.fixture, taken);
	}

	@Test
	void entryInAWrongSegmentIsRemovedByTheWalk() {
		List<String> ids = enqueue(this.fast, 10);
		this.fixture.redis.opsForZSet().add(segment(0), ids.get(8), 1);
		assertThat(this.general.reserveIds(10, "default")).containsExactlyElementsOf(ids);
		assertThat(segments()).isEmpty();
	}

	@Test
	void unreadableJobIsFoundInEachSegment() {
		List<String> ids = enqueue(this.fast, 30);
		this.fixture.record(ids.get(29), "damaged");
		assertThat(this.fixture.store.discard(ids.get(29))).isTrue();
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isEqualTo(29);
		this.fixture.record(ids.get(17), "damaged");
		assertThat(this.fixture.store.repair()).hasSize(1);
		assertThat(this.general.reserve(30, "default").jobs()).hasSize(28);
	}

	private List<String> enqueue(QueueFixture scripts, int count) {
		List<String> ids = Stream.generate(QueueFixture::newId).limit(count).toList();
		scripts.queue.enqueue(ids.stream().map((id) -> QueueFixture.job(id, LockStrategy.NONE)).toList());
		return ids;
	}

	private void succeed(QueueFixture scripts, List<ReservedJob> jobs) {
		scripts.queue.settle(jobs.stream().map(RunEnd::succeeded).toList(), null);
	}

	private JobPage page(String cursor) {
		return this.fixture.store.list(new JobQuery(JobState.READY, "default", null, null, 33, cursor));
	}

	private long position() {
		return this.fixture.store.blocker(QueueFixture.key("key"), true).map(KeyBlocker::position).orElseThrow();
	}

	private Set<String> segments() {
		return this.fixture.redis.opsForZSet().range(this.fixture.name("ready:default"), 0, -1);
	}

	private String segment(int number) {
		return this.fixture.name("ready:default " + number);
	}

	/**
	 * Returns the segments of jobs by their places.
	 */
	private String[] numbers(List<String> ids) {
		return ids.stream()
			.map((id) -> Long.toString(RecordBytes.of(this.fixture.record(id)).number("n") / SEGMENT))
			.distinct()
			.toArray(String[]::new);
	}

}
