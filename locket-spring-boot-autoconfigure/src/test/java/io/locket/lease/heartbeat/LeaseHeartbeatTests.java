package io.locket.lease.heartbeat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeaseHeartbeat}, with manual time.
 */
class LeaseHeartbeatTests {

	private final ManualScheduler time = new ManualScheduler();

	private final List<JobEvent> events = new ArrayList<>();

	private final List<Integer> calls = new ArrayList<>();

	private final JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));

	private final LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(10), this.time, this.time,
			Runnable::run, this.publisher, this.time::nanoTime);

	private final LiveLease.Context context = new LiveLease.Context(this.heartbeat, this.publisher,
			LossExecutors.of(Runnable::run), this.time::nanoTime, new LeaseClosing(() -> this.calls.add(-1)),
			this::renew);

	private final LeaseRenewer soon = new LeaseRenewer() {

		@Override
		public List<Renewal> renew(List<LiveLease> leases) {
			return LeaseHeartbeatTests.this.renew(leases);
		}

		@Override
		public boolean renewsSoon() {
			return true;
		}

	};

	private final AtomicInteger failing = new AtomicInteger();

	private final AtomicInteger deadlinesRead = new AtomicInteger();

	private Renewal reply = Renewal.RENEWED;

	private Runnable duringRenewal = () -> {
	};

	private boolean unforeseen;

	private boolean releaseFails;

	private List<LiveLease> renewed = List.of();

	/**
	 * The lease whose key is on another node of a cluster, if the slot moves.
	 */
	private @Nullable LiveLease apart;

	private List<Renewal> renew(List<LiveLease> leases) {
		this.calls.add(leases.size());
		this.renewed = leases;
		Runnable during = this.duringRenewal;
		this.duringRenewal = () -> {
		};
		during.run();
		if (this.unforeseen) {
			throw new AssertionError("unforeseen");
		}
		if (leases.contains(this.apart)) {
			throw new BatchRefusedException(new IllegalStateException("TRYAGAIN"));
		}
		if (this.failing.get() > 0) {
			this.failing.decrementAndGet();
			throw new IllegalStateException("no reply");
		}
		return leases.stream().map((lease) -> this.reply).toList();
	}

	@Test
	void schedulesNothingWhileNoLeaseIsHeld() {
		assertThat(this.time.size()).isZero();
		TestLease lease = lease(35);
		assertThat(this.time.size()).isEqualTo(2);
		lease.close();
		this.time.advance(Duration.ofMinutes(2));
		assertThat(this.time.size()).isZero();
		assertThat(this.heartbeat.size()).isZero();
	}

	@Test
	void renewsNothingForALeaseShorterThanOneBeat() {
		for (int i = 0; i < 50; i++) {
			TestLease lease = lease(35);
			this.time.advance(Duration.ofMillis(9_900));
			lease.close();
			this.time.advance(Duration.ofMillis(700));
		}
		assertThat(this.calls).isEmpty();
	}

	@Test
	void renewsLeasesSoonForAStoreThatListsThemFromThenOn() {
		TestLease first = soon(35);
		this.time.advance(Duration.ofMillis(700));
		soon(35);
		this.time.advance(Duration.ofMillis(400));
		assertThat(this.calls).containsExactly(1);
		this.time.advance(Duration.ofMillis(1000));
		assertThat(this.calls).containsExactly(1, 1);
		first.close();
		this.time.advance(Duration.ofMillis(5000));
		assertThat(this.calls).containsExactly(1, 1);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(1, 1, 1);
	}

	@Test
	void renewsNothingSoonForLeasesThatEndBefore() {
		for (int i = 0; i < 50; i++) {
			TestLease lease = soon(35);
			this.time.advance(Duration.ofMillis(300));
			lease.close();
		}
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.calls).isEmpty();
		assertThat(this.time.size()).isZero();
	}

	@Test
	void leavesAFailedEarlyRenewalToTheBeat() {
		this.failing.set(1);
		TestLease lease = soon(35);
		this.time.advance(Duration.ofMillis(9_900));
		assertThat(this.calls).containsExactly(1);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.calls).containsExactly(1, 1);
		assertThat(lease.isHeld()).isTrue();
	}

	@Test
	void survivesAnEarlyRenewalThatFailsUnexpectedly() {
		this.unforeseen = true;
		TestLease lease = soon(35);
		this.time.advance(Duration.ofSeconds(2));
		this.unforeseen = false;
		soon(35);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.calls).containsExactly(1, 2);
		assertThat(lease.isHeld()).isTrue();
	}

	@Test
	void renewsManyLeasesInCallsOfAHundredEachBeat() {
		for (int i = 0; i < 250; i++) {
			lease(35);
			this.time.advance(Duration.ofMillis(10));
		}
		this.time.advance(Duration.ofSeconds(20));
		this.calls.clear();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(100, 100, 50);
		assertThat(this.events).allMatch(HeartbeatCompleted.class::isInstance);
	}

	@Test
	void leavesOtherLeasesToTheNextBeatWhenTheStoreHangs() {
		IntStream.range(0, 250).forEach((i) -> lease(35));
		this.failing.set(1);
		this.duringRenewal = () -> this.time.hold(Duration.ofMillis(200));
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(100);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.calls).containsExactly(100, 100, 100, 50);
	}

	@Test
	void renewsLeasesOfAStoreOnASchedulerOfItsOwn() {
		ManualScheduler own = new ManualScheduler();
		TestLease apart = lease(35, new LeaseRenewer() {

			@Override
			public List<Renewal> renew(List<LiveLease> leases) {
				return LeaseHeartbeatTests.this.renew(leases);
			}

			@Override
			public ScheduledExecutorService scheduler() {
				return own;
			}

		});
		TestLease shared = lease(35);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.renewed).containsExactly(shared);
		own.advance(Duration.ofSeconds(10));
		assertThat(this.renewed).containsExactly(apart);
		shared.close();
		apart.close();
		assertThat(this.heartbeat.size()).isZero();
		this.time.advance(Duration.ofMinutes(2));
		own.advance(Duration.ofMinutes(2));
		assertThat(this.time.size() + own.size()).isZero();
	}

	@Test
	void leaseThatIsReleasedDuringABeatIsNotRenewedByIt() {
		List<TestLease> leases = IntStream.range(0, 101).mapToObj((i) -> lease(35)).toList();
		this.duringRenewal = () -> leases.stream()
			.filter((lease) -> !this.renewed.contains(lease))
			.forEach(TestLease::close);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(100);
		assertThat(this.heartbeat.size()).isEqualTo(100);
	}

	@Test
	void leaseThatIsReleasedDuringItsRenewalIsNotLost() {
		TestLease lease = lease(35);
		this.duringRenewal = lease::close;
		this.reply = Renewal.GONE;
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(1);
		assertThat(lease.lossCause()).isNull();
		assertThat(lease.lost).isZero();
		assertThat(this.events).hasAtLeastOneElementOfType(LeaseReleased.class)
			.doesNotHaveAnyElementsOfTypes(LeaseLost.class);
	}

	@Test
	void keepsLeasesFarFromTheirDeadlines() {
		List<TestLease> leases = new ArrayList<>();
		IntStream.range(0, 40).forEach((i) -> {
			leases.add(lease(35));
			this.time.advance(Duration.ofMillis(733));
		});
		for (int i = 0; i < 200; i++) {
			this.time.advance(Duration.ofSeconds(1));
			assertThat(leases).allMatch((lease) -> lease.remaining().compareTo(Duration.ofSeconds(11)) > 0);
		}
	}

	@Test
	void leaseThatJoinsCostsTheSameHoweverManyAreHeld() {
		IntStream.range(0, 1_000).forEach((i) -> lease(35));
		this.deadlinesRead.set(0);
		lease(35).close();
		assertThat(this.deadlinesRead).hasValueLessThanOrEqualTo(2);
	}

	@Test
	void beatsAtAThirdOfAShortLease() {
		lease(6);
		this.time.advance(Duration.ofSeconds(20));
		assertThat(this.calls).hasSize(10);
	}

	@Test
	void repeatsAFailedBeatSoon() {
		TestLease lease = lease(35);
		this.failing.set(3);
		this.time.advance(Duration.ofSeconds(14));
		assertThat(this.calls).hasSize(4);
		assertThat(lease.isHeld()).isTrue();
		assertThat(this.events).filteredOn((event) -> ((HeartbeatCompleted) event).failures() == 1).hasSize(3);
	}

	@Test
	void renewsLeasesOneByOneThatAClusterRefusesTogether() {
		List<TestLease> leases = IntStream.range(0, 5).mapToObj((i) -> lease(35)).toList();
		this.apart = leases.get(2);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(5, 1, 1, 1, 1, 1);
		assertThat(this.events).singleElement()
			.isInstanceOfSatisfying(HeartbeatCompleted.class, (beat) -> assertThat(beat.failures()).isOne());
		this.time.advance(Duration.ofSeconds(24));
		assertThat(leases).filteredOn(TestLease::isHeld).hasSize(4).doesNotContain(leases.get(2));
	}

	@Test
	void tellsHowMuchLaterThanPlannedABeatBegan() {
		lease(35);
		this.time.advance(Duration.ofSeconds(10));
		this.time.hold(Duration.ofSeconds(12));
		this.time.advance(Duration.ZERO);
		assertThat(this.events).extracting((event) -> ((HeartbeatCompleted) event).delay())
			.containsExactly(Duration.ZERO, Duration.ofSeconds(2));
	}

	@Test
	void tellsOfALateBeatWhoseLeasesAreLostByThen() {
		TestLease lease = lease(35);
		this.time.hold(Duration.ofSeconds(40));
		lease.lose(LeaseLossCause.UNREACHABLE);
		this.time.advance(Duration.ZERO);
		assertThat(this.events).filteredOn(HeartbeatCompleted.class::isInstance)
			.containsExactly(new HeartbeatCompleted(0, 0, Duration.ZERO, Duration.ofSeconds(30)));
	}

	@Test
	void beatWhoseLeasesWereReleasedReportsNothing() {
		lease(35).close();
		this.time.advance(Duration.ofSeconds(20));
		assertThat(this.events).isNotEmpty().noneMatch(HeartbeatCompleted.class::isInstance);
	}

	@Test
	void beatThatIsRepeatedAfterAFailureIsNotDelayed() {
		lease(35);
		this.failing.set(1);
		this.time.advance(Duration.ofSeconds(11));
		assertThat(this.events).hasSize(2).allMatch((event) -> ((HeartbeatCompleted) event).delay().isZero());
	}

	@Test
	void renewalIsOverdueFromAnIntervalAfterTheLastOne() {
		assertThat(this.heartbeat.overdue()).isZero();
		lease(35);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.heartbeat.overdue()).isZero();
		this.failing.set(Integer.MAX_VALUE);
		this.time.advance(Duration.ofSeconds(17));
		assertThat(this.heartbeat.overdue()).isEqualTo(Duration.ofSeconds(7));
		assertThat(this.heartbeat.isLate()).isFalse();
		this.time.advance(Duration.ofMillis(4_001));
		assertThat(this.heartbeat.isLate()).isTrue();
		this.failing.set(0);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.heartbeat.overdue()).isZero();
		assertThat(this.heartbeat.isLate()).isFalse();
	}

	@Test
	void heartbeatThatDoesNotComeRoundIsLate() {
		lease(35);
		this.time.hold(Duration.ofMillis(21_001));
		assertThat(this.heartbeat.isLate()).isTrue();
		assertThat(this.heartbeat.overdue()).isEqualTo(Duration.ofMillis(11_001));
	}

	@Test
	void leaseThatJoinsBetweenTwoBeatsIsNotLate() {
		lease(35);
		for (int i = 0; i < 30; i++) {
			this.time.advance(Duration.ofMillis(3_331));
			TestLease joined = lease(35);
			for (int second = 0; second < 25; second++) {
				this.time.advance(Duration.ofSeconds(1));
				assertThat(this.heartbeat.isLate()).isFalse();
			}
			joined.close();
		}
	}

	@Test
	void leaseThatCannotBeRenewedIsNotOverdue() {
		lease(35);
		this.reply = Renewal.NOT_RENEWABLE;
		this.time.advance(Duration.ofSeconds(25));
		assertThat(this.heartbeat.size()).isOne();
		assertThat(this.heartbeat.overdue()).isZero();
		assertThat(this.heartbeat.isLate()).isFalse();
	}

	@Test
	void losesALeaseAtItsLocalDeadlineWithoutAReply() {
		TestLease lease = lease(35);
		this.failing.set(Integer.MAX_VALUE);
		this.time.advance(Duration.ofMillis(31_400));
		assertThat(lease.lossCause()).isNull();
		this.time.advance(Duration.ofMillis(101));
		assertThat(lease.lost).isEqualTo(1);
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.UNREACHABLE);
		assertThat(this.heartbeat.size()).isZero();
	}

	@Test
	void leaseThatJoinsWithAnEarlierDeadlineIsWatchedForInTime() {
		lease(35);
		this.failing.set(Integer.MAX_VALUE);
		this.time.advance(Duration.ofSeconds(5));
		TestLease late = new TestLease(Duration.ofSeconds(35), Duration.ofSeconds(20));
		late.onLost(() -> late.lost++);
		this.heartbeat.add(late);
		this.time.advance(Duration.ofMillis(11_501));
		assertThat(late.lost).isEqualTo(1);
	}

	@Test
	void watchThatCouldNotBePlannedIsPlannedWithTheNextLeaseThatJoins() {
		Set<LiveLease> leases = ConcurrentHashMap.newKeySet();
		DeadlineWatch watch = new DeadlineWatch(leases, this.time, this.time::nanoTime);
		TestLease first = new TestLease(Duration.ofSeconds(35));
		TestLease late = new TestLease(Duration.ofSeconds(35), Duration.ofSeconds(20));
		TestLease next = new TestLease(Duration.ofSeconds(35));
		leases.add(first);
		watch.joined(first);
		leases.add(late);
		this.time.discard(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> watch.joined(late));
		leases.add(next);
		watch.joined(next);
		leases.forEach((lease) -> lease.onLost(() -> leases.remove(lease)));
		this.time.advance(Duration.ofMillis(31_501));
		assertThat(leases).isEmpty();
	}

	@Test
	void leaseThatWaitedLongForItsGrantIsRenewedAtOnce() {
		lease(35);
		this.time.advance(Duration.ofSeconds(5));
		TestLease late = late(Duration.ofSeconds(25));
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.calls).containsExactly(1);
		assertThat(late.remaining()).isGreaterThan(Duration.ofSeconds(31));
		this.time.advance(Duration.ofMinutes(2));
		assertThat(late.isHeld()).isTrue();
		assertThat(this.time.size()).as("a beat and a watch").isEqualTo(2);
	}

	@Test
	void firstLeaseIsRenewedAtOnceWhenItWaitedLongForItsGrant() {
		TestLease late = late(Duration.ofSeconds(25));
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.calls).containsExactly(1);
		assertThat(late.remaining()).isGreaterThan(Duration.ofSeconds(31));
	}

	@Test
	void leaseThatWaitedLongAndJoinsDuringABeatIsRenewedByTheNextOneAtOnce() {
		lease(35);
		this.duringRenewal = () -> late(Duration.ofSeconds(25));
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(1, 1);
		assertThat(this.heartbeat.leases()).allMatch((lease) -> lease.remaining().toSeconds() == 31);
	}

	@Test
	void leaseThatWaitedLongAndJoinsWhileABeatGoesToRestIsRenewedAtOnce() {
		HeartbeatGroup[] beat = new HeartbeatGroup[1];
		beat[0] = new HeartbeatGroup(Duration.ofSeconds(10), this.time, this.time, this.publisher::publish,
				new BatchRenewal(this.time::nanoTime), this.time::nanoTime, () -> {
					beat[0].leases().add(new TestLease(Duration.ofSeconds(35), Duration.ofSeconds(25)));
					beat[0].startBeating();
				});
		TestLease passing = new TestLease(Duration.ofSeconds(35));
		beat[0].leases().add(passing);
		beat[0].start(passing);
		beat[0].leases().remove(passing);
		this.time.advance(Duration.ofMillis(10_001));
		assertThat(this.calls).containsExactly(1);
	}

	@Test
	void leaseThatWaitedLongIsRenewedSoonWhenItsFirstRenewalFails() {
		this.failing.set(1);
		TestLease late = late(Duration.ofSeconds(25));
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.calls).containsExactly(1, 1);
		assertThat(late.remaining()).isGreaterThan(Duration.ofSeconds(30));
	}

	@Test
	void beatThatTakesHalfAnIntervalIsNotFollowedByTheNextOneAtOnce() {
		lease(35);
		this.duringRenewal = () -> this.time.hold(Duration.ofSeconds(6));
		this.time.advance(Duration.ofSeconds(19));
		assertThat(this.calls).containsExactly(1);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.calls).containsExactly(1, 1);
	}

	@Test
	void leaseThatCannotBeRenewedBringsOneBeatForward() {
		this.reply = Renewal.NOT_RENEWABLE;
		late(Duration.ofSeconds(25));
		this.time.advance(Duration.ofSeconds(9));
		assertThat(this.calls).containsExactly(1);
	}

	@Test
	void leaseWhoseRenewalCannotBeScheduledIsNotRenewed() {
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> lease(35));
		assertThat(this.heartbeat.size()).isZero();
		TestLease lease = lease(35);
		this.time.advance(Duration.ofSeconds(60));
		assertThat(lease.isHeld()).isTrue();
		assertThat(this.calls).isNotEmpty().containsOnly(1);
	}

	@Test
	void leaseWhoseEarlyRenewalCannotBeScheduledIsNotRenewed() {
		lease(35);
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> soon(35));
		assertThat(this.heartbeat.size()).isOne();
		soon(35);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.calls).containsExactly(1);
	}

	@Test
	void earlyRenewalThatCouldNotBePlannedIsPlannedWithTheNextLeaseThatJoins() {
		lease(35);
		this.time.discard(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> soon(35));
		TestLease lease = soon(35);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.calls).containsExactly(1);
		assertThat(this.renewed).containsExactly(lease);
	}

	@Test
	void watchThatCannotBeScheduledLeavesNoSecondOne() {
		TestLease lease = lease(35);
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> this.heartbeat.add(new TestLease(Duration.ofSeconds(35), Duration.ofSeconds(20))));
		this.time.advance(Duration.ofMinutes(2));
		assertThat(lease.isHeld()).isTrue();
		assertThat(this.time.size()).as("a beat and a watch").isEqualTo(2);
	}

	@Test
	void beatThatCannotPlanTheNextOneTriesItOnceMore() {
		TestLease lease = lease(35);
		this.time.advance(Duration.ofMillis(9_999));
		this.time.refuse(1);
		this.time.advance(Duration.ofSeconds(50));
		assertThat(lease.isHeld()).isTrue();
	}

	@Test
	void beatThatHasEndedBeginsAgainWithTheNextLease() {
		TestLease lease = lease(35);
		this.time.advance(Duration.ofMillis(9_999));
		this.time.refuse(2);
		this.time.advance(Duration.ofSeconds(1));
		lease(35);
		this.time.advance(Duration.ofSeconds(50));
		assertThat(lease.isHeld()).isTrue();
	}

	@Test
	void beatThatFailsInAnUnforeseenWayIsRepeated() {
		TestLease lease = lease(35);
		this.unforeseen = true;
		this.time.advance(Duration.ofSeconds(10));
		this.unforeseen = false;
		this.time.advance(Duration.ofSeconds(5));
		assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(25));
	}

	@Test
	void deadlineCountsFromTheSendingOfTheLastConfirmedRenewal() {
		TestLease lease = lease(35);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(31_500));
	}

	@Test
	void confirmationOfAnEarlierRenewalDoesNotBringTheDeadlineForward() {
		TestLease lease = lease(35);
		long now = this.time.nanoTime();
		lease.confirm(now + Duration.ofSeconds(5).toNanos());
		lease.confirm(now);
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(36_500));
	}

	@Test
	void leaseWhoseReleaseFailsNoLongerDelaysTheEndOfItsService() {
		LeaseClosing closing = this.context.closing();
		TestLease lease = lease(35);
		closing.leaseBegins();
		this.releaseFails = true;
		assertThatIllegalStateException().isThrownBy(lease::close);
		assertThat(this.calls).isEmpty();
		closing.close();
		assertThat(this.calls).containsExactly(-1);
	}

	@Test
	void goneIsLostAtOnceAndNeverRenewedAgain() {
		TestLease lease = lease(35);
		this.reply = Renewal.GONE;
		this.time.advance(Duration.ofSeconds(10));
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.GONE);
		this.calls.clear();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.calls).isEmpty();
	}

	@Test
	void lateConfirmationDoesNotBringALostLeaseBack() {
		TestLease lease = lease(35);
		lease.lose(LeaseLossCause.UNREACHABLE);
		lease.confirm(this.time.nanoTime());
		assertThat(lease.isHeld()).isFalse();
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.UNREACHABLE);
	}

	@Test
	void actionAddedAfterTheLossRunsAtOnce() {
		TestLease lease = lease(35);
		lease.lose(LeaseLossCause.TAKEN);
		AtomicInteger runs = new AtomicInteger();
		lease.onLost(runs::incrementAndGet);
		assertThat(runs).hasValue(1);
		lease.close();
		lease.onLost(runs::incrementAndGet);
		assertThat(runs).hasValue(2);
	}

	@Test
	void failingActionDoesNotAffectOthers() {
		TestLease lease = lease(35);
		AtomicInteger runs = new AtomicInteger();
		lease.onLost(() -> {
			throw new IllegalStateException("an action that fails");
		});
		lease.onLost(runs::incrementAndGet);
		lease.lose(LeaseLossCause.TAKEN);
		assertThat(runs).hasValue(1);
	}

	@Test
	void manyDistinctDurationsLeaveNothingBehind() {
		for (int i = 1; i <= 500; i++) {
			TestLease lease = new TestLease(Duration.ofMillis(3_000 + i));
			this.heartbeat.add(lease);
			lease.close();
		}
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.time.size()).isZero();
		assertThat(this.heartbeat).extracting("groups")
			.asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
			.isEmpty();
	}

	@Test
	void leaseThatComesAndGoesWhileABeatGoesToRestLeavesNothingBehind() {
		TestLease passing = new TestLease(Duration.ofSeconds(35));
		AtomicInteger rests = new AtomicInteger();
		HeartbeatGroup[] beat = new HeartbeatGroup[1];
		beat[0] = new HeartbeatGroup(Duration.ofSeconds(10), this.time, this.time, this.publisher::publish,
				new BatchRenewal(this.time::nanoTime), this.time::nanoTime, () -> {
					rests.incrementAndGet();
					beat[0].leases().add(passing);
					beat[0].start(passing);
					beat[0].leases().remove(passing);
					beat[0].stop();
				});
		beat[0].leases().add(passing);
		beat[0].start(passing);
		beat[0].leases().remove(passing);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(rests).hasValue(1);
		assertThat(this.time.size()).isZero();
		beat[0].leases().add(passing);
		beat[0].start(passing);
		assertThat(this.time.size()).isZero();
	}

	@Test
	void leaseThatJoinsJustBeforeABeatGoesToRestIsRenewed() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch held = new CountDownLatch(1);
		AtomicReference<@Nullable Thread> beating = new AtomicReference<>();
		LeaseHeartbeat beats = new LeaseHeartbeat(Duration.ofSeconds(10), this.time, this.time, Runnable::run,
				this.publisher, () -> {
					if (beating.compareAndSet(Thread.currentThread(), null)) {
						begun.countDown();
						awaitQuietly(held);
					}
					return this.time.nanoTime();
				});
		LiveLease.Context own = new LiveLease.Context(beats, this.publisher, this.context.losses(), this.time::nanoTime,
				this.context.closing(), this::renew);
		TestLease first = new TestLease(Duration.ofSeconds(35), Duration.ZERO, own);
		beats.add(first);
		Object group = ((Map<?, ?>) ReflectionTestUtils.getField(beats, "groups")).values().iterator().next();
		first.close();
		Thread thread = new Thread(() -> this.time.advance(Duration.ofSeconds(10)));
		beating.set(thread);
		thread.start();
		begun.await();
		synchronized (group) {
			held.countDown();
			await().until(() -> thread.getState() == Thread.State.BLOCKED);
			beats.add(new TestLease(Duration.ofSeconds(35), Duration.ZERO, own));
		}
		thread.join();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.calls).containsExactly(1);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private TestLease lease(long seconds) {
		return add(new TestLease(Duration.ofSeconds(seconds)));
	}

	/**
	 * Takes a lease whose store lists it from its first renewal on.
	 */
	private TestLease soon(long seconds) {
		return lease(seconds, this.soon);
	}

	private TestLease lease(long seconds, LeaseRenewer store) {
		return add(new TestLease(Duration.ofSeconds(seconds), Duration.ZERO, new LiveLease.Context(this.heartbeat,
				this.publisher, this.context.losses(), this.time::nanoTime, this.context.closing(), store)));
	}

	/**
	 * Takes a lease of 35 s whose grant took some time.
	 */
	private TestLease late(Duration age) {
		return add(new TestLease(Duration.ofSeconds(35), age));
	}

	private TestLease add(TestLease lease) {
		lease.onLost(() -> lease.lost++);
		this.heartbeat.add(lease);
		return lease;
	}

	private final class TestLease extends LiveLease {

		private static final AtomicLong NUMBERS = new AtomicLong();

		private int lost;

		TestLease(Duration duration) {
			this(duration, Duration.ZERO);
		}

		TestLease(Duration duration, Duration age) {
			this(duration, age, LeaseHeartbeatTests.this.context);
		}

		TestLease(Duration duration, Duration age, Context context) {
			super(new JobKey("job", "digest" + NUMBERS.incrementAndGet(), "[]"), duration, java.time.Instant.EPOCH, 1,
					LeaseHeartbeatTests.this.time.nanoTime() - age.toNanos(), context);
		}

		@Override
		long deadline() {
			LeaseHeartbeatTests.this.deadlinesRead.incrementAndGet();
			return super.deadline();
		}

		@Override
		protected @Nullable LeaseLossCause releaseInStore() {
			if (LeaseHeartbeatTests.this.releaseFails) {
				throw new IllegalStateException("no reply");
			}
			return null;
		}

		@Override
		protected void releaseInStoreLater() {
			// Nothing to do for a lost lease of this store.
		}

	}

}
