package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for reclaiming the jobs of a dead worker.
 */
class ReclaimTests extends AbstractQueueTests {

	@Test
	void jobComesBackToItsPlaceWhenItsRunLeaseExpires() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		this.user.take();
		this.user.advance(TestJob.LEASE.minusMillis(1));
		this.user.serve();
		assertThat(this.user.state("a")).isEqualTo(JobState.RUNNING);
		this.user.advance(Duration.ofMillis(1));
		this.user.serve();
		JobRecord record = this.user.find("a");
		assertThat(record.state()).isEqualTo(JobState.READY);
		assertThat(record.reclaims()).isOne();
		assertThat(record.attempt()).isZero();
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void keyLeaseGoesWithTheRun() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k").holdAtLeast(Duration.ofHours(1)));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.take();
		this.user.reserve(1, "q");
		this.user.die();
		this.user.advance(Duration.ofMillis(1));
		this.user.serve();
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void keyOfAnotherHolderIsNotReleased() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.take();
		this.harness.takeForeign(TestJob.key("k"), Duration.ofMinutes(5));
		this.user.die();
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.state("a")).isEqualTo(JobState.PARKED);
	}

	@Test
	void reclaimedJobIsHandedOutAlone() {
		enqueueAndKill("a", "b");
		this.user.enqueue(TestJob.of("c"));
		for (String id : List.of("a", "b")) {
			Reservation reservation = this.user.reserve(3, "q");
			assertThat(ids(reservation.jobs())).containsExactly(id);
			assertThat(reservation.cutShort()).isTrue();
		}
		assertThat(ids(this.user.reserve(3, "q").jobs())).containsExactly("c");
	}

	@Test
	void reservationIsNotCutShortByAReclaimedJobThatFillsIt() {
		enqueueAndKill("a");
		this.user.enqueue(TestJob.of("b"));
		Reservation reservation = this.user.reserve(1, "q");
		assertThat(ids(reservation.jobs())).containsExactly("a");
		assertThat(reservation.cutShort()).isFalse();
	}

	@Test
	void reclaimedJobIsNotAddedToOthers() {
		this.user.enqueue(TestJob.of("x").in("high"));
		enqueueAndKill("a");
		Reservation reservation = this.user.reserve(3, "high", "q");
		assertThat(ids(reservation.jobs())).containsExactly("x");
		assertThat(reservation.cutShort()).isTrue();
		assertThat(ids(this.user.reserve(3, "high", "q").jobs())).containsExactly("a");
	}

	@Test
	void everyThirdReclaimIsAFailedAttempt() {
		this.user.enqueue(TestJob.of("a").retries(1).with(LockStrategy.UNTIL_EXECUTED, "k"));
		List<Integer> attempts = IntStream.range(0, 6).map((i) -> {
			this.user.take();
			this.user.die();
			return this.user.find("a").attempt();
		}).boxed().toList();
		assertThat(attempts).containsExactly(0, 0, 1, 1, 1, 2);
		assertThat(this.user.state("a")).isEqualTo(JobState.DEAD);
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("b"));
	}

	@Test
	void cancelledJobEndsWhenItIsReclaimed() {
		this.user.enqueue(TestJob.of("a"));
		this.user.take();
		this.store.cancel("a");
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void jobOfARemovedQueueEndsWhenItIsReclaimed() {
		this.user.enqueue(TestJob.of("a"));
		this.user.take();
		this.store.remove("q");
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(JobState.REMOVED);
	}

	@ParameterizedTest
	@EnumSource(names = { "CANCELLED", "REMOVED" })
	void jobThatIsCancelledOrRemovedDuringItsLastRunIsNoDeadLetter(JobState state) {
		this.user.enqueue(TestJob.of("a").retries(0));
		for (int i = 0; i < 2; i++) {
			this.user.take();
			this.user.die();
		}
		this.user.take();
		if (state == JobState.CANCELLED) {
			this.store.cancel("a");
		}
		else {
			this.store.remove("q");
		}
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(state);
		assertThat(this.store.counts("q").deadLetters()).isZero();
	}

	@Test
	void jobIsSupersededWhenAnotherOneWaits() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTING, "k"));
		this.user.take();
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTING, "k"));
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(JobState.SUPERSEDED);
		assertThat(this.user.find("a").supersededBy()).isEqualTo("b");
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
	}

	@Test
	void jobIsNotSupersededByATicketWhoseCapHasPassed() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTING, "k"));
		this.user.take();
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTING, "k").uniqueFor(Duration.ofSeconds(5)));
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXECUTING, "k")))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.READY));
	}

	@Test
	void onlyOneOfTwoRunsThatWereBesideEachOtherComesBack() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTING, "k"));
		this.user.take();
		this.user.advance(Duration.ofSeconds(1));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTING, "k"));
		this.user.take();
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
		assertThat(this.user.state("b")).isEqualTo(JobState.SUPERSEDED);
		assertThat(this.user.find("b").supersededBy()).isEqualTo("a");
	}

	@Test
	void jobsOfOtherAndFullAndPausedQueuesAreReclaimed() {
		this.user.enqueue(TestJob.of("a").in("paused"));
		this.user.enqueue(TestJob.of("b").in("full"));
		this.user.reserve(2, "paused", "full");
		this.store.pause("paused");
		this.user.advance(TestJob.LEASE);
		this.queue.reserve(this.user.request("v", 1, List.of(new ReservationRequest.QueueLimit("full", 1))));
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
		assertThat(this.user.state("b")).isEqualTo(JobState.RUNNING);
		assertThat(this.user.find("b").reclaims()).isOne();
	}

	@Test
	void manyDeadRunsAreServedWithinABound() {
		this.queue.enqueue(IntStream.range(0, 100).mapToObj((i) -> TestJob.of("j" + i).build()).toList());
		this.user.reserve(100, "q");
		this.user.die();
		assertThat(this.store.counts("q").in(JobState.READY)).isEqualTo(100);
	}

	private void enqueueAndKill(String... ids) {
		for (String id : ids) {
			this.user.enqueue(TestJob.of(id));
		}
		this.user.reserve(ids.length, "q");
		this.user.die();
	}

}
