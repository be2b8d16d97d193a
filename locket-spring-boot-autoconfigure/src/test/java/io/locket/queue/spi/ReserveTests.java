package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobQueue#reserve}: order, bounds, due work and repetition.
 */
class ReserveTests extends AbstractQueueTests {

	@Test
	void jobIsHandedOutWithARunOfItsOwn() {
		this.user.enqueue(TestJob.of("a").arguments("[42]"));
		this.user.advance(Duration.ofSeconds(3));
		ReservedJob job = this.user.take();
		assertThat(job.record()).isEqualTo(this.user.find("a"));
		assertThat(job.record().state()).isEqualTo(JobState.RUNNING);
		assertThat(job.record().arguments()).isEqualTo("[42]");
		assertThat(job.record().startedAt()).isEqualTo(this.harness.now());
		assertThat(job.record().instance()).isEqualTo("host/1/w");
		assertThat(job.token()).isNotBlank();
		assertThat(job.fence()).isZero();
		assertThat(job.keyLeased()).isFalse();
		assertThat(job.conflict()).isNull();
		assertThat(job.conflictFor()).isNull();
	}

	@Test
	void jobIsHandedOutOnce() {
		this.user.enqueue(TestJob.of("a"));
		this.user.take();
		assertThat(this.user.reserve(3, "q").jobs()).isEmpty();
	}

	@Test
	void jobsAreHandedOutInTheOrderInWhichTheyWereEnqueued() {
		enqueue("c", "a", "b");
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("c", "a");
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("b");
	}

	@Test
	void queuesAreServedInTheOrderOfTheRequest() {
		this.user.enqueue(TestJob.of("l1").in("low"));
		this.user.enqueue(TestJob.of("h1").in("high"));
		this.user.enqueue(TestJob.of("h2").in("high"));
		this.user.enqueue(TestJob.of("x").in("other"));
		assertThat(ids(this.user.reserve(4, "high", "low").jobs())).containsExactly("h1", "h2", "l1");
	}

	@Test
	void workerOfThousandsOfQueuesTakesJobs() {
		this.user.enqueue(TestJob.of("first").in("queue-0"));
		this.user.enqueue(TestJob.of("last").in("queue-9999"));
		String[] queues = IntStream.range(0, 10_000).mapToObj((i) -> "queue-" + i).toArray(String[]::new);
		Reservation reservation = this.user.reserve(2, queues);
		assertThat(ids(reservation.jobs())).containsExactly("first", "last");
		assertThat(reservation.idle()).hasSize(10_000);
		Settlement settlement = this.queue.settle(reservation.jobs().stream().map(RunEnd::succeeded).toList(),
				this.user.request(2, queues));
		assertThat(settlement.ends()).allMatch(EndResult::counted);
		assertThat(settlement.next().idle()).hasSize(10_000);
	}

	@Test
	void fencesOfKeyLeasesGrow() {
		for (String id : List.of("a", "b", "c")) {
			this.user.enqueue(TestJob.of(id).with(LockStrategy.WHILE_EXECUTING, id));
		}
		List<Long> fences = this.user.reserve(2, "q").jobs().stream().map(ReservedJob::fence).toList();
		assertThat(fences.get(1)).isGreaterThan(fences.get(0));
		assertThat(this.user.take().fence()).isGreaterThan(fences.get(1));
	}

	@Test
	void runWithoutAKeyLeaseHasNoFenceAndMovesNone() {
		for (LockStrategy lock : List.of(LockStrategy.UNTIL_EXECUTING, LockStrategy.UNTIL_EXPIRED)) {
			this.user.enqueue(TestJob.of(lock.name()).with(lock, lock.name()).uniqueFor(Duration.ofHours(1)));
			assertThat(this.user.take().fence()).isZero();
		}
		this.user.enqueue(TestJob.of("leased").with(LockStrategy.WHILE_EXECUTING, "k"));
		assertThat(this.user.take().fence()).isPositive();
	}

	@Test
	void fencesOfAJobGrow() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		ReservedJob first = this.user.take();
		this.user.end(RunEnd.returned(first));
		assertThat(this.user.take().fence()).isGreaterThan(first.fence());
	}

	@Test
	void eachRunHasItsOwnToken() {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob first = this.user.take();
		this.user.end(RunEnd.returned(first));
		assertThat(this.user.take().token()).isNotEqualTo(first.token());
	}

	@Test
	void scheduledJobIsReadyWhenItIsDue() {
		this.user.enqueue(TestJob.of("a").after(Duration.ofSeconds(10)));
		this.user.advance(Duration.ofMillis(9999));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.advance(Duration.ofMillis(1));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void scheduledJobTakesItsPlaceWhenItIsDue() {
		this.user.enqueue(TestJob.of("late").after(Duration.ofSeconds(2)));
		this.user.enqueue(TestJob.of("early").after(Duration.ofSeconds(1)));
		this.user.enqueue(TestJob.of("now"));
		this.user.advance(Duration.ofSeconds(2));
		assertThat(ids(this.user.reserve(3, "q").jobs())).containsExactly("now", "early", "late");
	}

	@Test
	void dueJobsOfOtherQueuesAreServedToo() {
		this.user.enqueue(TestJob.of("a").in("other").after(Duration.ofSeconds(1)));
		this.user.enqueue(TestJob.of("b").in("paused").after(Duration.ofSeconds(1)));
		this.store.pause("paused");
		this.user.advance(Duration.ofSeconds(1));
		this.user.reserve(0);
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
	}

	@Test
	void dueJobsAreServedWithinABound() {
		this.queue.enqueue(IntStream.range(0, 250)
			.mapToObj((i) -> TestJob.of("j" + i).after(Duration.ofSeconds(1)).build())
			.toList());
		this.user.advance(Duration.ofSeconds(1));
		int calls = 0;
		while (this.user.reserve(0).cutShort()) {
			assertThat(++calls).isLessThan(250);
		}
		assertThat(calls).isPositive();
		assertThat(this.store.counts("q").in(JobState.READY)).isEqualTo(250);
	}

	@Test
	void nothingIsHandedOutWithoutSlots() {
		enqueue("a");
		assertThat(this.user.reserve(0, "q").jobs()).isEmpty();
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
	}

	@Test
	void pausedQueueIsSkipped() {
		enqueue("a");
		this.user.enqueue(TestJob.of("b").in("low"));
		this.store.pause("q");
		assertThat(ids(this.user.reserve(2, "q", "low").jobs())).containsExactly("b");
		enqueue("c");
		this.store.resume("q");
		assertThat(ids(this.user.reserve(2, "q", "low").jobs())).containsExactly("a", "c");
	}

	@Test
	void queueHandsOutNoMoreThanMayRunInTheFleet() {
		enqueue("a", "b", "c");
		this.user.enqueue(TestJob.of("d").in("low"));
		List<QueueLimit> limits = List.of(new QueueLimit("q", 2), new QueueLimit("low", 0));
		List<ReservedJob> jobs = this.queue.reserve(this.user.request("v", 4, limits)).jobs();
		assertThat(ids(jobs)).containsExactly("a", "b", "d");
		assertThat(this.queue.reserve(this.user.request("w", 4, limits)).jobs()).isEmpty();
		this.user.succeed(jobs.get(0));
		assertThat(ids(this.queue.reserve(this.user.request("w", 4, limits)).jobs())).containsExactly("c");
	}

	@Test
	void replyNamesTheQueuesThatHaveNothing() {
		enqueue("a", "b");
		this.user.enqueue(TestJob.of("c").in("paused"));
		this.store.pause("paused");
		Reservation first = this.user.reserve(1, "empty", "paused", "q");
		assertThat(first.idle()).contains("empty", "paused").doesNotContain("q");
		Reservation full = this.queue.reserve(this.user.request("v", 1, List.of(new QueueLimit("q", 1))));
		assertThat(full.jobs()).isEmpty();
		assertThat(full.idle()).containsExactly("q");
	}

	@Test
	void replyHasTheTimeUntilTheNextJobIsDue() {
		assertThat(this.user.reserve(1, "q").next()).isNull();
		this.user.enqueue(TestJob.of("a").in("other").after(Duration.ofSeconds(10)));
		assertThat(this.user.reserve(1, "q").next()).isEqualTo(Duration.ofSeconds(10));
	}

	/**
	 * The slot that got the job is busy from then on, and other slots need the due time.
	 */
	@Test
	void replyWithAllRequestedJobsHasTheTimeUntilTheNextJobIsDue() {
		this.user.enqueue(TestJob.of("a").after(Duration.ofSeconds(10)));
		this.user.enqueue(TestJob.of("b").in("other").after(Duration.ofMillis(10_100)));
		this.user.advance(Duration.ofSeconds(10));
		Reservation first = this.user.reserve(1, "q");
		assertThat(ids(first.jobs())).containsExactly("a");
		assertThat(first.next()).isEqualTo(Duration.ofMillis(100));
		Settlement settlement = this.queue.settle(List.of(RunEnd.succeeded(first.jobs().get(0))),
				this.user.request(1, "q"));
		assertThat(settlement.next().next()).isEqualTo(Duration.ofMillis(100));
	}

	@Test
	void replyHasTheTimeUntilARunLeaseExpires() {
		enqueue("a");
		this.user.take();
		this.user.advance(Duration.ofSeconds(10));
		assertThat(this.user.reserve(1, "q").next()).isNotNull().isLessThanOrEqualTo(Duration.ofSeconds(20));
	}

	@Test
	void repeatedReservationReturnsTheSameJobs() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		enqueue("b", "c");
		ReservationRequest request = this.user.request(2, "q");
		List<ReservedJob> jobs = this.queue.reserve(request).jobs();
		assertThat(this.queue.reserve(request).jobs()).isEqualTo(jobs);
		assertThat(this.user.state("c")).isEqualTo(JobState.READY);
	}

	@Test
	void repeatedReservationReturnsOnlyTheJobsThatItStillHas() {
		enqueue("a", "b", "c");
		ReservationRequest request = this.user.request(3, "q");
		List<ReservedJob> jobs = this.queue.reserve(request).jobs();
		this.user.succeed(jobs.get(0));
		this.user.end(RunEnd.returned(jobs.get(1)));
		this.queue.reserve(this.user.request("other", 1, List.of(new QueueLimit("q", 0))));
		assertThat(ids(this.queue.reserve(request).jobs())).containsExactly("c");
	}

	@Test
	void repeatedReservationHasNoOtherEffect() {
		enqueue("a");
		ReservationRequest request = this.user.request(1, "q");
		this.queue.reserve(request);
		this.user.advance(TestJob.LEASE);
		assertThat(ids(this.queue.reserve(request).jobs())).containsExactly("a");
		assertThat(this.user.find("a").reclaims()).isZero();
	}

	@Test
	void repeatedReservationThatGotNothingGetsNothing() {
		ReservationRequest request = this.user.request(1, "q");
		this.queue.reserve(request);
		enqueue("a");
		assertThat(this.queue.reserve(request).jobs()).isEmpty();
	}

	@Test
	void reservationsOfOtherPollersAreApart() {
		enqueue("a", "b");
		ReservationRequest request = this.user.request("v", 1, List.of(new QueueLimit("q", 0)));
		this.queue.reserve(request);
		assertThat(this.user.take().record().id()).isEqualTo("b");
		assertThat(ids(this.queue.reserve(request).jobs())).containsExactly("a");
	}

	private void enqueue(String... ids) {
		for (String id : ids) {
			this.user.enqueue(TestJob.of(id));
		}
	}

}
