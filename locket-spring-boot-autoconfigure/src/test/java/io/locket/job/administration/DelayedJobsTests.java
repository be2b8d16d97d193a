package io.locket.job.administration;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.job.UniqueJobs;
import io.locket.queue.DueTime;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueHarness;
import io.locket.queue.QueueUnderTest;
import io.locket.queue.TestJob;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayedJobs}, and for updates of delayed jobs by their due times, on
 * each implementation of the store.
 */
@ParameterizedClass
@EnumSource(QueueUnderTest.class)
class DelayedJobsTests {

	@Parameter
	private QueueUnderTest implementation;

	private QueueHarness harness;

	private JobAdministration jobs;

	private Instant start;

	private int numbers = 100_000;

	@BeforeEach
	void create() {
		this.harness = this.implementation.create();
		this.jobs = new JobAdministration(this.harness.store(), mock(UniqueJobs.class), new ArgumentCodec());
		this.start = this.harness.now();
	}

	@AfterEach
	void verify() {
		assertThat(this.harness.store().verify()).isEmpty();
		this.harness.close();
	}

	@Test
	void timesBeyondAllOthersMeanNoJobs() {
		for (Instant time : List.of(Instant.MAX, Instant.MIN, Instant.ofEpochMilli(Long.MAX_VALUE))) {
			assertThat(this.jobs.stream(JobFilter.delayed().dueAt(time))).isEmpty();
			assertThat(this.jobs.stream(JobFilter.all().dueAt(time))).isEmpty();
			assertThat(this.jobs.stream(JobFilter.delayed().dueFrom(time).dueUntil(time))).isEmpty();
		}
	}

	@Test
	void delayedJobsAreCountedInTotalAtATimeAndByTheirTimes() {
		enqueue("a", 30, 1000);
		enqueue("b", 12, 1000);
		enqueue("b", 3, 1001);
		enqueue("a", 2, 5000);
		this.harness.queue().enqueue(TestJob.of("ready").in("a").build());
		DelayedJobs delayed = this.jobs.delayed();
		assertThat(delayed.count()).isEqualTo(47);
		assertThat(delayed.times()).containsExactly(due(1000, 42), due(1001, 3), due(5000, 2));
		assertThat(delayed.times().count()).isEqualTo(3);
		assertThat(delayed.countAt(at(1000))).isEqualTo(42);
		assertThat(delayed.countAt(at(1000).plusNanos(999_999))).isEqualTo(42);
		assertThat(delayed.countAt(at(999))).isZero();
		assertThat(delayed.times(at(1001))).containsExactly(due(1001, 3), due(5000, 2));
		assertThat(delayed.times(at(1001).plusNanos(1))).containsExactly(due(5000, 2));
		assertThat(delayed.queue("a").count()).isEqualTo(32);
		assertThat(delayed.queue("a").times()).containsExactly(due(1000, 30), due(5000, 2));
		assertThat(delayed.queue("b").countAt(at(1000))).isEqualTo(12);
		assertThat(delayed.queue("nowhere").times()).isEmpty();
	}

	@Test
	void nextJobIsTheFirstOfAllQueues() {
		assertThat(this.jobs.delayed().nextTime()).isEmpty();
		assertThat(this.jobs.delayed().next()).isEmpty();
		assertThat(this.jobs.delayed().count()).isZero();
		enqueue("a", 2, 1001);
		List<String> first = enqueue("b", 1, 1000);
		assertThat(this.jobs.delayed().nextTime()).contains(at(1000));
		assertThat(this.jobs.delayed().next()).get().extracting(JobRecord::id).isEqualTo(first.get(0));
		assertThat(this.jobs.delayed().queue("a").nextTime()).contains(at(1001));
		assertThat(this.jobs.delayed().queue("a").next()).get().extracting(JobRecord::queue).isEqualTo("a");
	}

	@Test
	void jobsOfAllQueuesFollowOneAnotherByTheirTimes() {
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 130; i++) {
			expected.addAll(enqueue("a", 1, 1000 + 3 * i));
			expected.addAll(enqueue("b", 2, 1000 + 3 * i));
			expected.addAll(enqueue("c", 1, 1001 + 3 * i));
		}
		assertThat(this.jobs.delayed().jobs()).extracting(JobRecord::id).containsExactlyElementsOf(expected);
		assertThat(this.jobs.delayed().times()).hasSize(260);
		assertThat(this.jobs.delayed().jobs().limit(5)).extracting(JobRecord::id)
			.containsExactlyElementsOf(expected.subList(0, 5));
		assertThat(this.jobs.delayed().queue("b").jobs()).hasSize(260);
	}

	@Test
	void timesThatFollowOneAnotherByAMillisecondAreComplete() {
		for (int i = 0; i < 205; i++) {
			enqueue("a", 1, 1000 + i);
		}
		assertThat(this.jobs.delayed().times()).extracting(DueTime::time)
			.containsExactlyElementsOf(IntStream.range(0, 205).mapToObj((i) -> at(1000 + i)).toList());
	}

	@Test
	void jobsOfOneTimeAreListedRunNowAndCancelled() {
		enqueue("a", 130, 1000);
		enqueue("b", 20, 1000);
		enqueue("b", 20, 1001);
		JobFilter atOnce = JobFilter.delayed().dueAt(at(1000).plusNanos(5));
		assertThat(this.jobs.stream(atOnce)).hasSize(150).allMatch((job) -> at(1000).equals(job.startAt()));
		assertThat(this.jobs.list(atOnce, 50, null).jobs()).hasSize(50);
		assertThat(this.jobs.runNow(atOnce.queue("b"))).isEqualTo(new UpdateSummary(20, 20, 0, 0));
		assertThat(this.jobs.cancel(atOnce)).isEqualTo(new UpdateSummary(130, 130, 0, 0));
		assertThat(this.jobs.delayed().times()).containsExactly(due(1001, 20));
		assertThat(this.jobs.counts("b").in(JobState.READY)).isEqualTo(20);
		assertThat(this.jobs.cancel(JobFilter.delayed())).isEqualTo(new UpdateSummary(20, 20, 0, 0));
		assertThat(this.jobs.delayed().count()).isZero();
	}

	/**
	 * The job keeps its arguments, so only its due time shows the change.
	 */
	@Test
	void jobThatIsGivenAnotherDueTimeBetweenTheReadAndTheUpdateIsLeftAlone() {
		this.harness.queue().enqueue(debounced("a", 1000));
		this.harness.queue().enqueue(TestJob.of("b").in("a").start(NewJob.Start.at(at(1000))).build());
		UpdateSummary summary = this.jobs.cancel(JobFilter.delayed().dueAt(at(1000)).matching((job) -> {
			this.harness.queue().enqueue(debounced("newcomer", 2000));
			return true;
		}));
		assertThat(summary).isEqualTo(new UpdateSummary(2, 1, 0, 1));
		assertThat(this.jobs.delayed().times()).containsExactly(due(2000, 1));
	}

	private NewJob debounced(String id, int millis) {
		return TestJob.of(id)
			.in("a")
			.with(LockStrategy.UNTIL_EXECUTED, "k")
			.onDuplicate(DuplicateStrategy.REPLACE)
			.start(NewJob.Start.at(at(millis)))
			.build();
	}

	@Test
	void rangesOfAFilterAreNarrowed() {
		for (int i = 0; i < 6; i++) {
			enqueue("a", 1, 1000 + i);
		}
		JobFilter range = JobFilter.delayed().dueFrom(at(1001)).dueUntil(at(1005));
		assertThat(this.jobs.stream(range)).hasSize(4);
		assertThat(this.jobs.stream(range.dueFrom(at(1000)).dueUntil(at(1006)))).hasSize(4);
		assertThat(this.jobs.stream(range.dueFrom(at(1002)).dueUntil(at(1004)))).hasSize(2);
		assertThat(this.jobs.stream(range.dueAt(at(1005)))).isEmpty();
		assertThat(this.jobs.stream(range.dueFrom(Instant.MIN).dueUntil(Instant.MAX))).hasSize(4);
		assertThat(range).hasToString("jobs in [SCHEDULED] due from " + at(1001) + " due until " + at(1005));
	}

	@Test
	void jobsThatWaitForARetryAreNoDelayedOnes() {
		this.harness.queue().enqueue(TestJob.of("ready").in("a").build());
		ReservedJob job = this.harness.queue()
			.reserve(new ReservationRequest("r", "w", "host/1/w", "thread", List.of(new QueueLimit("a", 0)), 1))
			.jobs()
			.get(0);
		this.harness.queue().settle(List.of(RunEnd.retry(job, Duration.ofSeconds(1), "it broke")), null);
		assertThat(this.jobs.counts("a").in(JobState.RETRY)).isOne();
		assertThat(this.jobs.delayed().count()).isZero();
		assertThat(this.jobs.delayed().times()).isEmpty();
		assertThat(this.jobs.stream(JobFilter.delayed())).isEmpty();
		assertThat(this.jobs.stream(JobFilter.inState(JobState.RETRY).dueAt(at(1000)))).hasSize(1);
	}

	@Test
	void jobThatIsDueIsADelayedOneUntilAWorkerPolls() {
		enqueue("a", 1, 1000);
		this.harness.advance(Duration.ofSeconds(1));
		assertThat(this.jobs.delayed().nextTime()).contains(at(1000));
		this.harness.queue()
			.reserve(new ReservationRequest("r", "w", "host/1/w", "thread", List.of(new QueueLimit("b", 0)), 1));
		assertThat(this.jobs.delayed().nextTime()).isEmpty();
		assertThat(this.jobs.counts("a").in(JobState.READY)).isOne();
	}

	@Test
	void queueWithAnIllFormedNameIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.delayed().queue("no name"))
			.withMessageContaining("'no name' is not a valid queue name");
	}

	private Instant at(int millis) {
		return this.start.plusMillis(millis);
	}

	private DueTime due(int millis, long jobs) {
		return new DueTime(at(millis), jobs);
	}

	private List<String> enqueue(String queue, int count, int millis) {
		List<NewJob> jobs = IntStream.range(0, count)
			.mapToObj((i) -> TestJob.of("j" + this.numbers++).in(queue).start(NewJob.Start.at(at(millis))).build())
			.toList();
		this.harness.queue().enqueue(jobs);
		return jobs.stream().map(NewJob::id).toList();
	}

}
