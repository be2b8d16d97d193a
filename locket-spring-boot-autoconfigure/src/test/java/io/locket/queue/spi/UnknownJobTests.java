package io.locket.queue.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.RetryReason;
import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs that are unknown to some workers of a queue, as in a rolling update.
 */
class UnknownJobTests extends AbstractQueueTests {

	private static final Duration DAY = Duration.ofHours(24);

	private int requests;

	@Test
	void jobThatAWorkerDoesNotKnowIsTakenByAnotherOneAtOnce() {
		this.user.enqueue(fresh("fresh").retries(0));
		this.user.enqueue(TestJob.of("known"));
		ReservedJob job = this.user.take();
		Settlement settlement = this.queue.settle(List.of(RunEnd.unknown(job, "unknown")), oldWorker(1));
		assertThat(settlement.ends()).containsExactly(new EndResult("fresh", true, JobState.RETRY));
		assertThat(ids(settlement.next().jobs())).containsExactly("known");
		assertThat(this.user.find("fresh").attempt()).isZero();
		assertThat(this.user.find("fresh").lastError()).isEqualTo("unknown");
		assertThat(this.user.take().record().id()).isEqualTo("fresh");
	}

	@Test
	void jobThatAWorkerLeavesOutKeepsItsPlace() {
		this.user.enqueue(fresh("fresh1"));
		this.user.enqueue(TestJob.of("known1"));
		this.user.enqueue(fresh("fresh2"));
		assertThat(ids(this.queue.reserve(oldWorker(3)).jobs())).containsExactly("known1");
		this.user.enqueue(TestJob.of("known2"));
		this.user.enqueue(fresh("fresh3"));
		assertThat(this.user.state("fresh1")).isEqualTo(JobState.RETRY);
		assertThat(this.user.find("fresh1").lastError()).contains("does not know this job");
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("fresh1", "fresh2");
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("known2", "fresh3");
		assertThat(this.user.find("fresh1").startAt()).isEqualTo(this.harness.now());
	}

	@Test
	void manyUnknownJobsStarveNoOtherJob() {
		this.queue.enqueue(IntStream.range(0, 250).mapToObj((i) -> fresh("fresh" + i).build()).toList());
		this.user.enqueue(TestJob.of("known1"));
		assertThat(reserveOld()).containsExactly("known1");
		this.user.enqueue(TestJob.of("known2"));
		Reservation reservation = this.queue.reserve(oldWorker(1));
		assertThat(ids(reservation.jobs())).containsExactly("known2");
		reservation = this.queue.reserve(oldWorker(1));
		assertThat(reservation.idle()).containsExactly("q");
		assertThat(reservation.cutShort()).isFalse();
		List<String> taken = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			reservation = this.user.reserve(5, "q");
			assertThat(reservation.jobs()).hasSize(5);
			taken.addAll(List.of(ids(reservation.jobs())));
			assertThat(reservation.idle().isEmpty()).isEqualTo(i < 49);
		}
		assertThat(taken).isEqualTo(IntStream.range(0, 250).mapToObj((i) -> "fresh" + i).toList());
	}

	/**
	 * Lets a worker that does not have some jobs reserve until it finds nothing more.
	 */
	private List<String> reserveOld() {
		List<String> ids = new ArrayList<>();
		Reservation reservation;
		int calls = 0;
		do {
			reservation = this.queue.reserve(oldWorker(1));
			ids.addAll(List.of(ids(reservation.jobs())));
			calls++;
		}
		while (reservation.cutShort() && ids.isEmpty());
		assertThat(calls).isLessThanOrEqualTo(27);
		return ids;
	}

	/**
	 * A worker that knows the job has found its key held, so the job waits for its key
	 * and not for a worker.
	 */
	@ParameterizedTest
	@EnumSource(names = { "PARK", "RESCHEDULE" })
	void jobThatWaitsForItsKeyDoesNotCountAsUnknown(ConflictStrategy onConflict) {
		JobKey key = TestJob.key("k");
		this.harness.takeForeign(key, DAY.plusHours(2));
		this.user.enqueue(fresh("fresh").with(LockStrategy.WHILE_EXECUTING, key).onConflict(onConflict));
		this.queue.reserve(oldWorker(1));
		assertThat(this.user.find("fresh").retryReason()).isEqualTo(RetryReason.DEFERRED);
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.advance(DAY.plusHours(1));
		this.harness.releaseForeign(key);
		while (this.queue.reserve(oldWorker(1)).cutShort()) {
			continue;
		}
		assertThat(this.user.state("fresh")).isEqualTo(JobState.RETRY);
		assertThat(this.user.take().record().id()).isEqualTo("fresh");
	}

	@Test
	void jobWithoutAHandlerIsDeadAfterADay() {
		this.user.enqueue(fresh("leftOut"));
		this.user.enqueue(fresh("ended"));
		this.user.end(RunEnd.unknown(this.user.take(), "unknown"));
		this.user.advance(Duration.ofHours(23));
		this.queue.reserve(oldWorker(1));
		this.user.end(RunEnd.unknown(this.user.take(), "unknown"));
		this.user.advance(Duration.ofHours(1).minusMillis(1));
		this.user.serve();
		assertThat(this.user.state("leftOut")).isEqualTo(JobState.RETRY);
		this.user.advance(Duration.ofMillis(1));
		this.user.serve();
		assertThat(this.user.state("leftOut")).isEqualTo(JobState.DEAD);
		assertThat(this.user.find("leftOut").lastError()).contains("No worker has known this job");
		assertThat(this.user.find("leftOut").attempt()).isZero();
		assertThat(this.user.state("ended")).isEqualTo(JobState.RETRY);
		assertThat(this.store.counts("q").deadLetters()).isOne();
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("ended");
	}

	@Test
	void jobHasADayAgainWhenAWorkerHasRunIt() {
		this.user.enqueue(fresh("fresh"));
		this.queue.reserve(oldWorker(1));
		this.user.end(RunEnd.retry(this.user.take(), Duration.ofHours(48), "it broke"));
		this.user.advance(Duration.ofHours(48));
		this.queue.reserve(oldWorker(1));
		this.user.advance(Duration.ofHours(23));
		this.user.serve();
		assertThat(this.user.state("fresh")).isEqualTo(JobState.RETRY);
		assertThat(this.user.take().record().id()).isEqualTo("fresh");
	}

	@Test
	void jobHasADayAgainWhenAWorkerThatRanItHasDied() {
		this.user.enqueue(fresh("fresh").leaseFor(DAY.plusHours(1)));
		this.queue.reserve(oldWorker(1));
		assertThat(this.user.take().record().id()).isEqualTo("fresh");
		this.user.advance(DAY.plusHours(2));
		this.user.serve();
		assertThat(this.user.state("fresh")).isEqualTo(JobState.READY);
		this.queue.reserve(oldWorker(1));
		assertThat(this.user.state("fresh")).isEqualTo(JobState.RETRY);
		assertThat(this.user.take().record().id()).isEqualTo("fresh");
	}

	@Test
	void jobHasADayAgainWhenAWorkerThatRanItHasLostItsKey() {
		JobKey key = TestJob.key("k");
		this.user.enqueue(fresh("fresh").with(LockStrategy.WHILE_EXECUTING, key).leaseFor(DAY.plusHours(2)));
		this.queue.reserve(oldWorker(1));
		ReservedJob run = this.user.take();
		this.user.advance(DAY.plusHours(1));
		this.harness.releaseForeign(key);
		assertThat(this.user.succeed(run)).isEqualTo(new EndResult("fresh", false, JobState.READY));
		this.queue.reserve(oldWorker(1));
		assertThat(this.user.state("fresh")).isEqualTo(JobState.RETRY);
		assertThat(this.user.take().record().id()).isEqualTo("fresh");
	}

	@Test
	void jobThatSupersedesAnUnknownOneIsNotPutOff() {
		this.user.enqueue(fresh("fresh").with(LockStrategy.UNTIL_EXECUTING, "k"));
		ReservedJob run = this.user.take();
		this.user.enqueue(fresh("later").with(LockStrategy.UNTIL_EXECUTING, "k").after(DAY.multipliedBy(7)));
		this.user.end(RunEnd.unknown(run, "unknown"));
		assertThat(this.user.state("fresh")).isEqualTo(JobState.SUPERSEDED);
		assertThat(this.user.state("later")).isEqualTo(JobState.READY);
	}

	@Test
	void jobThatIsSetAsideHasItsReason() {
		this.user.enqueue(fresh("fresh"));
		this.user.end(RunEnd.retry(this.user.take(), Duration.ofSeconds(1), "it broke"));
		this.user.advance(Duration.ofSeconds(1));
		this.queue.reserve(oldWorker(1));
		assertThat(this.user.find("fresh").retryReason()).isEqualTo(RetryReason.DEFERRED);
	}

	@Test
	void jobThatWasSetAsideIsUpdatedAsOthersAre() {
		for (String id : List.of("cancelled", "moved", "now", "removed")) {
			this.user.enqueue(fresh(id));
		}
		this.queue.reserve(oldWorker(1));
		assertThat(this.store.counts("q").in(JobState.RETRY)).isEqualTo(4);
		assertThat(this.user.update(UpdateAction.Kind.CANCEL, "cancelled")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.move("moved", "other")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.update(UpdateAction.Kind.RUN_NOW, "now")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.state("moved")).isEqualTo(JobState.READY);
		assertThat(this.user.find("moved").startAt()).isEqualTo(this.harness.now());
		assertThat(this.user.take("other").record().id()).isEqualTo("moved");
		assertThat(this.user.state("now")).isEqualTo(JobState.READY);
		assertThat(this.store.remove("q")).isEqualTo(2);
		assertThat(this.user.state("removed")).isEqualTo(JobState.REMOVED);
		assertThat(this.store.verify()).isEmpty();
		assertThat(this.user.reserve(4, "q").jobs()).isEmpty();
	}

	@Test
	void jobThatWasSetAsideKeepsItsTicket() {
		this.user.enqueue(fresh("fresh").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.queue.reserve(oldWorker(1));
		assertThat(this.user.enqueue(fresh("again").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Duplicate("fresh", JobState.RETRY));
	}

	@Test
	void jobBehindOneThatWasPromotedAndIsUnknownFollows() {
		this.user.enqueue(TestJob.of("first").with(LockStrategy.WHILE_EXECUTING, "k"));
		ReservedJob first = this.user.take();
		this.user.enqueue(fresh("fresh").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("known").with(LockStrategy.WHILE_EXECUTING, "k"));
		assertThat(this.user.reserve(2, "q").jobs()).isEmpty();
		this.user.succeed(first);
		List<String> taken = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			taken.addAll(List.of(ids(this.queue.reserve(oldWorker(2)).jobs())));
		}
		assertThat(taken).containsExactly("known");
	}

	@Test
	void pausedAndFullQueuesKeepWhatWasSetAside() {
		this.user.enqueue(fresh("fresh1"));
		this.user.enqueue(fresh("fresh2"));
		this.queue.reserve(oldWorker(1));
		this.store.pause("q");
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.store.resume("q");
		List<QueueLimit> one = List.of(new QueueLimit("q", 1));
		assertThat(ids(this.queue.reserve(this.user.request("w", 2, one)).jobs())).containsExactly("fresh1");
		assertThat(this.user.state("fresh2")).isEqualTo(JobState.RETRY);
	}

	@Test
	void jobsOfManyNamesAreSetAsideWithinABound() {
		List<String> names = IntStream.range(0, 40).mapToObj((i) -> "name" + i).toList();
		names.forEach((name) -> this.user.enqueue(TestJob.of(name).named(name)));
		Reservation reservation;
		do {
			reservation = this.queue.reserve(oldWorker(1, Set.copyOf(names)));
		}
		while (reservation.cutShort());
		assertThat(this.store.counts("q").in(JobState.RETRY)).isEqualTo(40);
		List<ReservedJob> jobs = this.user.reserve(40, "q").jobs();
		assertThat(jobs).hasSize(32);
		jobs.forEach(this.user::succeed);
		this.user.advance(Duration.ofSeconds(30));
		assertThat(this.user.reserve(40, "q").jobs()).hasSize(8);
	}

	@Test
	void listenerIsNotifiedOfAJobThatItsWorkerDidNotKnow() throws InterruptedException {
		BlockingQueue<String> told = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.queue.listen((queue) -> {
			if (queue != null) {
				told.add(queue);
			}
		})) {
			assertThat(listening).isNotNull();
			String queue = null;
			for (int i = 0; i < 100 && queue == null; i++) {
				this.user.enqueue(TestJob.of("other" + i).in("other"));
				queue = told.poll(100, TimeUnit.MILLISECONDS);
			}
			this.user.enqueue(fresh("fresh"));
			while (!"q".equals(queue)) {
				queue = told.poll(10, TimeUnit.SECONDS);
				assertThat(queue).isNotNull();
			}
			this.queue.settle(List.of(RunEnd.unknown(this.user.take(), "unknown")), oldWorker(1));
			assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo("q");
		}
	}

	private static TestJob fresh(String id) {
		return TestJob.of(id).named("fresh");
	}

	private ReservationRequest oldWorker(int slots) {
		return oldWorker(slots, Set.of("fresh"));
	}

	private ReservationRequest oldWorker(int slots, Set<String> leavesOut) {
		return new ReservationRequest("old" + ++this.requests, "old", "host/2/old", "thread",
				List.of(new QueueLimit("q", 0)), slots, leavesOut);
	}

}
