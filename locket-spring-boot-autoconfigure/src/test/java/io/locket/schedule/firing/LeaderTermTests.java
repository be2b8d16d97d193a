package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.locket.event.ScheduleFailed;
import io.locket.event.ScheduleFired;
import io.locket.event.ScheduleMissed;
import io.locket.schedule.AbstractScheduleStoreTests;
import io.locket.schedule.FailingScheduleStore;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.TestSchedule;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link LeaderTerm}, with a manually driven clock.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderTermTests extends AbstractScheduleStoreTests {

	private static final Duration TEN = Duration.ofSeconds(10);

	private final TestProcess.HandClock clock = new TestProcess.HandClock();

	private TestProcess process;

	private Instant start;

	@BeforeEach
	void begin() {
		this.leader = this.harness.hold("leader", Duration.ofDays(1));
		this.process = process();
		this.start = now();
	}

	private TestProcess process() {
		return new TestProcess(this.store, this.clock, this.leader);
	}

	@Override
	public void advance(Duration time) {
		super.advance(time);
		this.clock.advance(time);
	}

	private Instant after(long seconds) {
		return this.start.plusSeconds(seconds);
	}

	private List<Instant> each(int seconds, int from, int upTo) {
		return LongStream.rangeClosed(from, upTo).filter((i) -> i % seconds == 0).mapToObj(this::after).toList();
	}

	private void put(String name, Duration every, Misfire misfire, @Nullable Duration catchUp) {
		this.store.put(List.of(new ScheduleDefinition(name, TestSchedule.GROUP, name, "[1]", null, null, every,
				ZoneOffset.UTC, misfire, catchUp, true, null, ScheduleOrigin.PERSISTENT)), null);
	}

	@Test
	void scheduleFiresWhenItsTimeHasComeAndNotBefore() {
		put("a");
		assertThat(this.process.run()).isLessThanOrEqualTo(SECOND);
		advance(TEN.minusMillis(1));
		assertThat(this.process.run()).isEqualTo(Duration.ofMillis(1));
		assertThat(this.process.fired("a")).isEmpty();
		advance(Duration.ofMillis(1));
		this.process.run();
		this.process.run();
		assertThat(this.process.events()).containsExactly(
				new ScheduleFired("a", "job", after(10), Duration.ZERO, false, "a." + after(10).toEpochMilli(), false));
		assertThat(find("a").lastFired()).isEqualTo(after(10));
		assertThat(jobs()).isOne();
	}

	@Test
	void leaderRestsUntilTheNextFiring() {
		put("a");
		this.process.run();
		advance(Duration.ofMillis(9_400));
		assertThat(this.process.run()).isEqualTo(Duration.ofMillis(600));
		advance(Duration.ofMillis(600));
		assertThat(this.process.run()).isPositive();
		assertThat(this.process.fired("a")).containsExactly(after(10));
	}

	/**
	 * The clock of the store is put forward, as by a fail-over to a server whose clock is
	 * ahead.
	 */
	@Test
	void timeAfterAJumpOfTheClockFiresOnTime() {
		put("a", Duration.ofMinutes(1), Misfire.SKIP, null);
		this.process.run();
		advance(TEN);
		this.process.run();
		super.advance(Duration.ofSeconds(30));
		Duration passed = Duration.ZERO;
		while (passed.compareTo(Duration.ofSeconds(21)) < 0) {
			Duration rest = this.process.run();
			passed = passed.plus(rest);
			advance(rest);
		}
		assertThat(this.process.events()).hasSize(1);
		assertThat(this.process.fired("a")).containsExactly(after(60));
	}

	@Test
	void changeIsSeenWithinASecond() {
		this.process.run();
		put("a");
		Duration waited = Duration.ZERO;
		while (waited.compareTo(SECOND) < 0) {
			Duration rest = this.process.run();
			waited = waited.plus(rest);
			advance(rest);
		}
		this.store.pause("a");
		advance(SECOND);
		this.process.run();
		advance(TEN);
		this.process.run();
		assertThat(this.process.events()).isEmpty();
		this.store.resume("a");
		advance(SECOND);
		this.process.run();
		advance(TEN);
		this.process.run();
		assertThat(this.process.fired("a")).containsExactly(after(20));
	}

	@Test
	void changeThatTheLeaderHasNotSeenIsNotFiredAsItWas() {
		put("a");
		this.process.run();
		advance(TEN.minusMillis(100));
		this.process.run();
		this.store.remove("a");
		advance(Duration.ofMillis(100));
		assertThat(this.process.step()).as("the schedules are read again at once").isZero();
		assertThat(this.process.run()).isPositive();
		assertThat(this.process.events()).isEmpty();
		assertThat(jobs()).isZero();
	}

	@Test
	void configuredSchedulesAreWrittenWhenTheTermBegins() {
		put("mine");
		this.process
			.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED),
					TestSchedule.of("mine", ScheduleOrigin.CONFIGURED))
			.run();
		assertThat(names()).containsExactly("a", "mine");
		assertThat(find("a").definition().origin()).isEqualTo(ScheduleOrigin.CONFIGURED);
		assertThat(find("mine").definition().origin()).isEqualTo(ScheduleOrigin.PERSISTENT);
		advance(TEN);
		this.process.run();
		assertThat(this.process.fired("a")).containsExactly(after(10));
		assertThat(this.process.fired("mine")).containsExactly(after(10));
	}

	@Test
	void configuredScheduleTakesItsPlaceWhenThatIsFree() {
		put("a");
		this.process.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED)).run();
		this.store.remove("a");
		advance(SECOND);
		this.process.run();
		assertThat(find("a").definition().origin()).isEqualTo(ScheduleOrigin.CONFIGURED);
	}

	@Test
	void configuredScheduleOfAnotherLeaderEndsWhenItIsSeen() {
		this.process.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED)).run();
		this.store.configure(this.leader, TestSchedule.GROUP, List.of(TestSchedule.of("a", ScheduleOrigin.CONFIGURED),
				TestSchedule.of("other", ScheduleOrigin.CONFIGURED)));
		advance(SECOND);
		this.process.run();
		assertThat(names()).containsExactly("a");
	}

	@Test
	void scheduleThatTheNewLeaderIsNotConfiguredWithEnds(CapturedOutput output) {
		this.process.configured(TestSchedule.of("old", ScheduleOrigin.CONFIGURED)).run();
		put("mine");
		this.leader = this.harness.hold("leader", TTL);
		process().configured(TestSchedule.of("new", ScheduleOrigin.CONFIGURED)).run();
		assertThat(names()).containsExactly("mine", "new");
		assertThat(output)
			.containsOnlyOnce("INFO  [main] io.locket.schedule.firing.LeaderConfiguration : This process leads"
					+ " group '" + TestSchedule.GROUP
					+ "', and is not configured with 1 schedule(s) [old] of its former leader");
	}

	@Test
	void leaderWithoutSchedulesWarnsOfThoseThatEnd(CapturedOutput output) {
		this.process
			.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED),
					TestSchedule.of("b", ScheduleOrigin.CONFIGURED))
			.run();
		this.leader = this.harness.hold("leader", TTL);
		TestProcess other = process();
		other.run();
		assertThat(names()).isEmpty();
		assertThat(output)
			.containsOnlyOnce("WARN  [main] io.locket.schedule.firing.LeaderConfiguration : This process leads group '"
					+ TestSchedule.GROUP + "', and is not configured with 2 schedule(s) [a, b] of its former leader")
			.containsOnlyOnce("set locket.leader.enabled=false here")
			.containsOnlyOnce("This process fires 0 schedule(s) []");
		this.store.configure(this.leader, TestSchedule.GROUP, List.of(TestSchedule.of("a", ScheduleOrigin.CONFIGURED)));
		advance(SECOND);
		other.run();
		assertThat(names()).isEmpty();
		assertThat(output).containsOnlyOnce("of its former leader");
	}

	@Test
	void pausedScheduleThatComesBackIsLoggedAndStaysPaused(CapturedOutput output) {
		this.process.configured(TestSchedule.of("x", ScheduleOrigin.CONFIGURED)).run();
		this.store.pause("x");
		this.leader = this.harness.hold("leader", TTL);
		process().run();
		assertThat(names()).isEmpty();
		this.leader = this.harness.hold("leader", TTL);
		this.process.lead(this.leader);
		this.process.run();
		assertThat(find("x").paused()).isTrue();
		assertThat(output).contains("This process fires 0 schedule(s) []. Paused: 1 schedule(s) [x]");
		advance(TEN);
		this.process.run();
		assertThat(this.process.events()).isEmpty();
		this.store.resume("x");
		advance(TEN);
		this.process.run();
		assertThat(this.process.fired("x")).containsExactly(after(20));
	}

	@Test
	void leaderLeavesSchedulesOfOtherGroupsAlone() {
		put("a");
		this.store.put(List.of(ofOther("b", ScheduleOrigin.PERSISTENT)), null);
		LeaseProof other = this.harness.hold("other", TTL);
		this.store.configure(other, "other", List.of(ofOther("c", ScheduleOrigin.CONFIGURED)));
		long revision = this.store.revision();
		this.process.configured(TestSchedule.of("b", ScheduleOrigin.CONFIGURED)).run();
		advance(TEN);
		this.process.run();
		assertThat(names()).containsExactly("a", "b", "c");
		assertThat(this.store.revision()).isEqualTo(revision);
		assertThat(this.process.events(ScheduleFired.class)).extracting(ScheduleFired::schedule).containsExactly("a");
		assertThat(this.process.events(ScheduleMissed.class)).isEmpty();
	}

	private static ScheduleDefinition ofOther(String name, ScheduleOrigin origin) {
		return new ScheduleDefinition(name, "other", "job", "[1]", null, null, TEN, ZoneOffset.UTC, Misfire.LATEST,
				null, true, null, origin);
	}

	@Test
	void leaderThatWasFrozenBetweenItsPlanAndTheFiringPlansAnew() {
		put("skip", TEN, Misfire.SKIP, null);
		put("latest", TEN, Misfire.LATEST, Duration.ofSeconds(60));
		this.process.run();
		advance(TEN.minusMillis(100));
		this.process.run();
		// The leader has just read the time.
		advance(Duration.ofMillis(100));
		super.advance(Duration.ofSeconds(160));
		this.process.run();
		assertThat(this.process.fired("skip")).containsExactly(after(170));
		assertThat(this.process.fired("latest")).containsExactly(after(160), after(170));
		assertThat(this.process.events(ScheduleMissed.class))
			.extracting(ScheduleMissed::schedule, ScheduleMissed::count)
			.containsExactlyInAnyOrder(tuple("skip", 1L), tuple("skip", 15L), tuple("latest", 1L),
					tuple("latest", 14L));
		assertThat(jobs()).isEqualTo(3);
	}

	@Test
	void successorMakesUpForTheLastOfWhatWasMissed() {
		put("a");
		this.process.run();
		advance(Duration.ofSeconds(39));
		this.leader = this.harness.hold("leader", TTL);
		TestProcess successor = process();
		successor.run();
		assertThat(successor.events()).containsExactly(new ScheduleMissed("a", this.start, after(30).minusMillis(1), 2),
				new ScheduleFired("a", "job", after(30), Duration.ofSeconds(9), true, "a." + after(30).toEpochMilli(),
						false));
		assertThat(jobs()).isOne();
	}

	@Test
	void successorMakesUpForAllWithinTheCatchUp() {
		put("a", SECOND, Misfire.ALL, Duration.ofSeconds(150));
		advance(Duration.ofSeconds(200));
		this.process.run();
		assertThat(this.process.fired("a")).isEqualTo(each(1, 50, 200));
		assertThat(this.process.events(ScheduleMissed.class))
			.containsExactly(new ScheduleMissed("a", this.start, after(50).minusMillis(1), 49));
		assertThat(jobs()).isEqualTo(151);
	}

	@Test
	void successorDropsWhatIsToBeSkipped() {
		put("a", TEN, Misfire.SKIP, null);
		advance(Duration.ofSeconds(33));
		this.process.run();
		assertThat(this.process.fired("a")).containsExactly(after(30));
		advance(Duration.ofSeconds(12));
		this.process.run();
		advance(Duration.ofSeconds(5));
		this.process.run();
		assertThat(this.process.fired("a")).containsExactly(after(30), after(40), after(50));
		advance(Duration.ofSeconds(16));
		this.process.run();
		assertThat(this.process.fired("a")).doesNotContain(after(60));
		assertThat(this.process.events(ScheduleMissed.class)).containsExactly(
				new ScheduleMissed("a", this.start, after(30).minusMillis(1), 2),
				new ScheduleMissed("a", after(50), after(66), 1));
	}

	@Test
	void manySchedulesFireInOrderOfTimeAndAHundredAtOnce() {
		IntStream.range(0, 250).forEach((i) -> put("s" + i, Duration.ofSeconds(1 + i % 4), Misfire.ALL, null));
		this.process.run();
		advance(Duration.ofSeconds(4));
		this.process.run();
		long expected = IntStream.range(0, 250).map((i) -> 4 / (1 + i % 4)).sum();
		assertThat(jobs()).isEqualTo(expected);
		assertThat(this.process.events(ScheduleFired.class)).hasSize((int) expected);
	}

	@Test
	void scheduleWithMuchToMakeUpForHoldsUpNoOther() {
		put("much", SECOND, Misfire.ALL, null);
		put("little", Duration.ofSeconds(300), Misfire.LATEST, null);
		advance(Duration.ofSeconds(300));
		this.process.step();
		assertThat(this.process.fired("little")).containsExactly(after(300));
		this.process.run();
		assertThat(this.process.fired("much")).isEqualTo(each(1, 1, 300));
	}

	@Test
	void jobsOfSeveralSchedulesAreEnqueuedInOrderOfTime() {
		put("a", SECOND, Misfire.ALL, null);
		put("b", SECOND, Misfire.ALL, null);
		advance(Duration.ofSeconds(15));
		this.process.run();
		assertThat(this.process.events(ScheduleFired.class)).hasSize(30)
			.isSortedAccordingTo(Comparator.comparing(ScheduleFired::time));
	}

	@Test
	void nothingIsReportedTwiceWhenSchedulesAreReadAgain() {
		put("a", TEN, Misfire.SKIP, null);
		this.process.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED));
		advance(Duration.ofSeconds(17));
		this.process.run();
		assertThat(this.process.events()).hasSize(1);
		put("other");
		advance(SECOND);
		this.process.run();
		assertThat(names()).contains("other");
		assertThat(this.process.events()).hasSize(1).hasOnlyElementsOfType(ScheduleMissed.class);
	}

	@Test
	void nameThatIsTakenIsWarnedOfOnceAndAgainWhenItWasFree(CapturedOutput output) {
		put("a");
		this.process.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED)).run();
		this.process.lead(this.leader);
		this.process.run();
		assertThat(output.getOut().split("does not fire, because", -1)).hasSize(2);
		this.store.remove("a");
		advance(SECOND);
		this.process.run();
		this.process.configured().lead(this.leader);
		this.process.run();
		put("a");
		this.process.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED)).lead(this.leader);
		this.process.run();
		assertThat(output.getOut().split("does not fire, because", -1)).hasSize(3);
	}

	@Test
	void jobThatCannotBeMadeStopsNoOtherScheduleAndIsTriedAgain() {
		put("bad", TEN, Misfire.LATEST, null);
		put("good", TEN, Misfire.LATEST, null);
		this.process.run();
		this.process.breaks("bad", new IllegalArgumentException("no such job"));
		advance(TEN);
		this.process.run();
		assertThat(this.process.fired("good")).containsExactly(after(10));
		assertThat(this.process.events(ScheduleFailed.class)).containsExactly(
				new ScheduleFailed("bad", "bad", after(10), "java.lang.IllegalArgumentException: no such job"));
		advance(SECOND);
		this.process.run();
		advance(SECOND);
		this.process.run();
		assertThat(this.process.fired("bad")).isEmpty();
		this.process.breaks("bad", null);
		advance(SECOND);
		this.process.run();
		assertThat(this.process.fired("bad")).containsExactly(after(10));
		assertThat(this.process.events(ScheduleFailed.class)).hasSize(1);
		assertThat(this.process.events(ScheduleMissed.class)).isEmpty();
	}

	@Test
	void failedFiringIsRetriedWithinItsCatchUpWhateverIsSkippedOtherwise() {
		put("skips", Duration.ofHours(1), Misfire.SKIP, Duration.ofMinutes(5));
		this.process.run();
		this.process.breaks("skips", new IllegalArgumentException("no such job"));
		advance(Duration.ofHours(1));
		for (int i = 0; i < 240; i++) {
			this.process.run();
			advance(SECOND);
		}
		this.process.breaks("skips", null);
		advance(Duration.ofSeconds(59));
		this.process.run();
		assertThat(this.process.events(ScheduleFired.class)).singleElement()
			.satisfies((fired) -> assertThat(fired.time()).isEqualTo(after(3600)))
			.satisfies((fired) -> assertThat(fired.madeUp()).isTrue());
	}

	@Test
	void firingThatFailsForLongerThanTheCatchUpIsGivenUp() {
		put("bad", Duration.ofHours(1), Misfire.LATEST, Duration.ofMinutes(5));
		this.process.run();
		this.process.breaks("bad", new IllegalArgumentException("no such job"));
		advance(Duration.ofHours(1));
		for (int i = 0; i < 400; i++) {
			this.process.run();
			advance(SECOND);
		}
		assertThat(this.process.events()).hasSize(2);
		assertThat(this.process.events(ScheduleFailed.class)).hasSize(1);
		assertThat(this.process.events(ScheduleMissed.class)).singleElement()
			.satisfies((missed) -> assertThat(missed.count()).isOne());
		advance(Duration.ofHours(1).minusSeconds(400));
		this.process.run();
		assertThat(this.process.events(ScheduleFailed.class)).extracting(ScheduleFailed::time)
			.containsExactly(after(3600), after(7200));
		this.process.breaks("bad", null);
		advance(SECOND);
		this.process.run();
		assertThat(this.process.fired("bad")).containsExactly(after(7200));
	}

	@Test
	void leaderThatHasLostItsLeaseFiresNothingAndPublishesNothing() {
		put("a");
		this.process.run();
		advance(Duration.ofSeconds(39));
		this.process.lease().lose();
		assertThat(this.process.step()).isZero();
		assertThat(this.process.events()).isEmpty();
		assertThat(find("a").lastFired()).isNull();
	}

	@Test
	void leaderThatLosesItsLeaseWhileItMakesJobsFiresNone() {
		put("a");
		this.process.run();
		advance(TEN);
		this.process.whenMade(() -> this.process.lease().lose());
		assertThat(this.process.step()).isZero();
		assertThat(find("a").lastFired()).isNull();
	}

	@Test
	void leaderThatHasLostItsLeaseDetectsItWhenItFires() {
		put("a");
		this.process.run();
		this.harness.hold("leader", TTL);
		advance(TEN);
		this.process.run();
		assertThat(this.process.lease().isHeld()).isFalse();
		assertThat(this.process.lease().renewals()).isOne();
		assertThat(this.process.events()).isEmpty();
		assertThat(jobs()).isZero();
	}

	@Test
	void leaderThatHasLostItsLeaseDetectsItWhenItsTermBegins() {
		this.harness.hold("leader", TTL);
		this.process.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED)).run();
		assertThat(this.process.lease().isHeld()).isFalse();
		assertThat(names()).isEmpty();
	}

	/**
	 * A failure makes the candidate release the lease, and stand again after a back-off.
	 */
	@Test
	void termOfALeaderWhoseRecordIsDamagedFails() {
		put("a");
		this.process.run();
		this.harness.hold("leader", TTL);
		this.process.lease().renewable(true);
		advance(TEN);
		assertThatIllegalStateException().isThrownBy(this.process::run)
			.withMessageContaining("not as that of this term");
		assertThat(jobs()).isZero();
	}

	@Test
	void twoLeadersByForceFireEachTimeOnce() {
		put("a");
		put("b", SECOND, Misfire.ALL, null);
		TestProcess other = process();
		for (int i = 0; i < 30; i++) {
			this.process.run();
			other.run();
			advance(SECOND);
		}
		this.process.run();
		assertThat(jobs()).isEqualTo(33);
		assertThat(find("b").lastFired()).isEqualTo(after(30));
	}

	@Test
	void failOverInTheMiddleFiresEachTimeOnceAndInOrder() {
		put("a", SECOND, Misfire.ALL, null);
		advance(Duration.ofSeconds(100));
		this.process.step();
		assertThat(this.process.fired("a")).hasSizeBetween(1, 99);
		this.leader = this.harness.hold("leader", TTL);
		TestProcess successor = process();
		successor.run();
		this.process.run();
		assertThat(Stream.of(this.process, successor).flatMap((process) -> process.fired("a").stream()))
			.isEqualTo(each(1, 1, 100));
		assertThat(jobs()).isEqualTo(100);
		assertThat(this.process.lease().isHeld()).isFalse();
	}

	@Test
	void firingThatTheStoreHasLostHappensAgainWithinItsCatchUp(CapturedOutput output) {
		put("daily", Duration.ofDays(1), Misfire.LATEST, Duration.ofHours(12));
		put("tick", TEN, Misfire.ALL, Duration.ofMinutes(10));
		this.process.run();
		advance(Duration.ofDays(1).minusSeconds(3));
		this.process.run();
		Runnable failOver = this.harness.backup();
		advance(Duration.ofSeconds(3));
		this.process.run();
		assertThat(this.process.fired("daily")).containsExactly(after(86_400));
		assertThat(this.process.fired("tick")).last().isEqualTo(after(86_400));
		this.process.events().clear();
		failOver.run();
		advance(TEN);
		this.process.run();
		assertThat(this.process.fired("tick")).containsExactly(after(86_400), after(86_410));
		assertThat(this.process.fired("daily")).containsExactly(after(86_400));
		assertThat(find("daily").lastFired()).isEqualTo(after(86_400));
		assertThat(output)
			.containsOnlyOnce("The store has lost the last firings of 2 schedule(s) [daily, tick], as in a fail-over");
		TestProcess successor = process();
		successor.run();
		assertThat(successor.events()).isEmpty();
	}

	@Test
	void lossOfAFiringIsNoticedWithinAMinuteWhenNothingElseIsDue() {
		this.process.lead(this.harness.hold("leader", Duration.ofDays(3)));
		put("daily", Duration.ofDays(1), Misfire.LATEST, Duration.ofHours(12));
		advance(Duration.ofDays(1).minusSeconds(3));
		this.process.run();
		Runnable failOver = this.harness.backup();
		advance(Duration.ofSeconds(3));
		this.process.run();
		failOver.run();
		advance(Duration.ofMinutes(1));
		this.process.run();
		assertThat(this.process.fired("daily")).containsExactly(after(86_400), after(86_400));
		assertThat(this.process.events(ScheduleMissed.class)).isEmpty();
	}

	@Test
	void clockOfTheStoreThatIsAheadOfWhatTheLeaderKnowsIsNoticedWithinAMinute() {
		put("a", Duration.ofHours(1), Misfire.LATEST, null);
		this.process.run();
		moveStoreClock(Duration.ofHours(1));
		advance(Duration.ofSeconds(60));
		this.process.run();
		assertThat(this.process.fired("a")).containsExactly(after(3600));
	}

	@Test
	void clockOfTheStoreThatWasSetBackFiresNothingEarlyAndNothingTwice(CapturedOutput output) {
		put("a", TEN, Misfire.ALL, null);
		advance(TEN);
		this.process.run();
		moveStoreClock(TEN.negated());
		advance(TEN);
		assertThat(this.process.run()).isPositive();
		assertThat(output).contains("The clock of the store was put back").contains("Schedules.resume");
		assertThat(jobs()).isOne();
		for (int i = 0; i < 10; i++) {
			advance(SECOND);
			this.process.run();
			assertThat(this.process.fired("a")).allSatisfy((time) -> assertThat(time).isBeforeOrEqualTo(now()));
		}
		assertThat(this.process.fired("a")).isEqualTo(each(10, 10, 20));
		assertThat(jobs()).isEqualTo(2);
	}

	@Test
	void timesThatAClockThatWasSetBackHasDroppedFire() {
		put("tick", SECOND, Misfire.SKIP, null);
		put("hourly", Duration.ofHours(1), Misfire.SKIP, null);
		this.process.run();
		moveStoreClock(Duration.ofMinutes(90));
		advance(Duration.ofSeconds(60));
		this.process.run();
		assertThat(this.process.fired("hourly")).isEmpty();
		this.store.remove("tick");
		put("new", SECOND, Misfire.SKIP, null);
		moveStoreClock(Duration.ofMinutes(90).negated());
		advance(Duration.ofSeconds(60));
		this.process.run();
		advance(Duration.ofMinutes(58));
		this.process.run();
		assertThat(this.process.fired("hourly")).containsExactly(after(3600));
	}

	@Test
	void firingThatComesALittleEarlyIsRepeatedWhenItIsDue() {
		put("a");
		this.process.run();
		moveStoreClock(Duration.ofMillis(-500));
		advance(TEN);
		assertThat(this.process.run()).isEqualTo(Duration.ofMillis(500));
		assertThat(this.process.events()).isEmpty();
		advance(Duration.ofMillis(500));
		this.process.run();
		assertThat(this.process.fired("a")).containsExactly(after(10));
		assertThat(this.process.events()).hasSize(1);
	}

	@Test
	void timesMissedBeforeAFiringThatFailsArePublishedOnce() {
		put("bad", TEN, Misfire.LATEST, null);
		this.process.breaks("bad", new IllegalArgumentException("no such job"));
		advance(Duration.ofSeconds(37));
		this.process.run();
		advance(SECOND);
		this.process.run();
		assertThat(this.process.events()).containsExactly(
				new ScheduleMissed("bad", this.start, after(30).minusMillis(1), 2),
				new ScheduleFailed("bad", "bad", after(30), "java.lang.IllegalArgumentException: no such job"));
	}

	@Test
	void scheduleThatIsPutAnewWhileItFailsBeginsAnew() {
		put("bad", TEN, Misfire.LATEST, null);
		this.process.run();
		this.process.breaks("bad", new IllegalArgumentException("no such job"));
		advance(Duration.ofMinutes(2));
		this.process.run();
		this.process.breaks("bad", null);
		put("bad", Duration.ofSeconds(5), Misfire.ALL, null);
		advance(SECOND);
		this.process.run();
		assertThat(this.process.fired("bad")).isEmpty();
		advance(TEN);
		this.process.run();
		assertThat(this.process.fired("bad")).containsExactly(after(125), after(130));
	}

	@Test
	void scheduleThatIsChangedOtherwiseMakesUpForWhatItMissed() {
		put("a");
		this.process.run();
		advance(Duration.ofSeconds(17));
		this.store.put(List.of(TestSchedule.of("a", ScheduleOrigin.PERSISTENT, true, "changed")), null);
		this.process.run();
		assertThat(this.process.fired("a")).containsExactly(after(10));
	}

	@Test
	void errorOfAJobsClassIsAFailureOfItsSchedule() {
		put("bad", TEN, Misfire.LATEST, null);
		put("good", TEN, Misfire.LATEST, null);
		this.process.run();
		this.process.breaks("bad", new NoClassDefFoundError("Gone"));
		advance(TEN);
		this.process.run();
		assertThat(this.process.fired("good")).containsExactly(after(10));
		assertThat(this.process.events(ScheduleFailed.class)).singleElement()
			.satisfies((failed) -> assertThat(failed.error()).contains("Gone"));
	}

	@Test
	void duplicateIsPublishedAsSuch() {
		put("a", TEN, Misfire.LATEST, null);
		this.process.unique().run();
		advance(TEN);
		this.process.run();
		advance(TEN);
		this.process.run();
		assertThat(this.process.events(ScheduleFired.class)).extracting(ScheduleFired::duplicate)
			.containsExactly(false, true);
		assertThat(jobs()).isOne();
	}

	@Test
	void idleLeaderOfManySchedulesCallsTheStoreLessThanTwiceASecond() {
		this.store.put(IntStream.range(0, 1000)
			.mapToObj((i) -> new ScheduleDefinition("s" + i, TestSchedule.GROUP, "job", "[1]", null, "0 0 3 * * *",
					null, ZoneOffset.UTC, Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT))
			.toList(), null);
		FailingScheduleStore counting = new FailingScheduleStore(this.store);
		TestProcess idle = new TestProcess(counting, this.clock, this.leader);
		Duration passed = Duration.ZERO;
		while (passed.compareTo(Duration.ofMinutes(5)) < 0) {
			Duration rest = idle.run();
			advance(rest);
			passed = passed.plus(rest);
		}
		assertThat(counting.questions()).isLessThan((int) (1.5 * passed.toSeconds()));
	}

	/**
	 * Sets the clock of the store, while no time elapses.
	 */
	private void moveStoreClock(Duration time) {
		this.harness.queue().advance(time);
	}

}
