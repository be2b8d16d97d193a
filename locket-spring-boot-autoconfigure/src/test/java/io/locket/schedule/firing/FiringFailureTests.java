package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

import io.locket.event.ScheduleFailed;
import io.locket.event.ScheduleFired;
import io.locket.event.ScheduleMissed;
import io.locket.schedule.AbstractScheduleStoreTests;
import io.locket.schedule.FailingScheduleStore;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.TestSchedule;
import io.locket.testing.LogLines;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LeaderTerm} with a store that does not reply, or refuses.
 */
@ExtendWith(OutputCaptureExtension.class)
class FiringFailureTests extends AbstractScheduleStoreTests {

	private static final Duration TEN = Duration.ofSeconds(10);

	private final TestProcess.HandClock clock = new TestProcess.HandClock();

	private FailingScheduleStore failing;

	private TestProcess process;

	private Instant start;

	@BeforeEach
	void begin() {
		this.leader = this.harness.hold("leader", Duration.ofDays(1));
		this.failing = new FailingScheduleStore(this.store);
		this.process = new TestProcess(this.failing, this.clock, this.leader);
		this.process.lease().renewable(true);
		this.start = now();
	}

	@Override
	public void advance(Duration time) {
		super.advance(time);
		this.clock.advance(time);
	}

	private Instant after(long seconds) {
		return this.start.plusSeconds(seconds);
	}

	/**
	 * Runs the leader for a time.
	 */
	private void runFor(Duration time) {
		for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(500)) {
			this.process.run();
			advance(Duration.ofMillis(500));
		}
		this.process.run();
	}

	private void putThree() {
		put("a");
		put("b");
		put("c");
		this.process.run();
		advance(TEN);
	}

	/**
	 * Puts a schedule that is due in half a second.
	 */
	private void putDueSoon() {
		put("a");
		this.process.run();
		advance(TEN.minusMillis(500));
		this.process.run();
	}

	@Test
	void firingWhoseReplyWasLostIsRepeatedAndHasFiredOnce(CapturedOutput output) {
		put("a");
		this.process.run();
		advance(TEN);
		this.failing.loseReplies(1);
		runFor(Duration.ofSeconds(2));
		assertThat(this.process.fired("a")).containsExactly(after(10));
		assertThat(jobs()).isOne();
		assertThat(this.failing.calls()).containsExactly(1, 1);
		assertThat(this.process.events(ScheduleFailed.class)).isEmpty();
		assertThat(output).contains("io.locket.schedule");
		assertThat(LogLines.warnings(output)).isEmpty();
		assertThat(output).doesNotContain("fires again");
	}

	@Test
	void configuredScheduleThatTheStoreHasLostIsBackWithinAMinute() {
		this.process
			.configured(new ScheduleDefinition("a", TestSchedule.GROUP, "job", "[1]", null, null, Duration.ofHours(1),
					ZoneOffset.UTC, Misfire.LATEST, null, true, null, ScheduleOrigin.CONFIGURED))
			.run();
		this.failing.loseConfigured(this.leader, TestSchedule.GROUP);
		advance(Duration.ofSeconds(59));
		this.process.run();
		assertThat(names()).isEmpty();
		advance(SECOND);
		this.process.run();
		assertThat(names()).containsExactly("a");
	}

	@Test
	void firingsWhoseReplyWasLostAreRepeatedOneByOneAndHaveFiredOnce() {
		putThree();
		this.failing.loseReplies(1);
		runFor(Duration.ofSeconds(2));
		assertThat(this.failing.calls()).containsExactly(3, 1, 1, 1);
		assertThat(this.process.events(ScheduleFired.class)).extracting(ScheduleFired::schedule)
			.containsExactly("a", "b", "c");
		assertThat(this.process.events()).hasSize(3);
		assertThat(jobs()).isEqualTo(3);
		advance(TEN.minusSeconds(2));
		this.process.run();
		assertThat(this.failing.calls()).endsWith(3);
		assertThat(jobs()).isEqualTo(6);
	}

	@Test
	void severalFiringsOfAScheduleWhoseReplyWasLostHaveFiredOnce() {
		this.store.put(List.of(everySecond("a")), null);
		this.process.run();
		advance(TEN);
		this.failing.loseReplies(1);
		runFor(Duration.ofSeconds(2));
		assertThat(this.failing.calls()).startsWith(10, 1).containsOnlyOnce(10);
		assertThat(find("a").lastFired()).isEqualTo(after(12));
		assertThat(jobs()).isEqualTo(12);
		assertThat(this.process.fired("a")).containsExactly(after(10), after(11), after(12));
		assertThat(this.process.events(ScheduleMissed.class)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void firingWhoseReplyIsLostInALongOutageIsNotMissed(Misfire misfire) {
		this.store.put(List.of(new ScheduleDefinition("a", TestSchedule.GROUP, "job", "[1]", null, null, TEN,
				ZoneOffset.UTC, misfire, null, true, null, ScheduleOrigin.PERSISTENT)), null);
		this.process.run();
		advance(TEN);
		this.failing.loseReplyAndStop();
		runFor(Duration.ofSeconds(27));
		assertThat(find("a").lastFired()).isEqualTo(after(10));
		this.failing.down(false);
		runFor(SECOND);
		List<ScheduleMissed> missed = this.process.events(ScheduleMissed.class);
		long expected = switch (misfire) {
			case SKIP -> 2;
			case LATEST -> 1;
			case ALL -> 0;
		};
		assertThat(missed.stream().mapToLong(ScheduleMissed::count).sum()).isEqualTo(expected);
		assertThat(missed).allSatisfy((event) -> assertThat(event.after()).isEqualTo(after(10)));
	}

	@Test
	void outageIsLoggedOnceAndIsNoFailureOfASchedule(CapturedOutput output) {
		putThree();
		this.failing.down(true);
		runFor(Duration.ofSeconds(47));
		assertThat(this.process.events()).isEmpty();
		assertThat(LogLines.warnings(output)).hasSize(1);
		assertThat(output).contains("Calls of the leader fail");
		this.failing.down(false);
		runFor(Duration.ofSeconds(1));
		assertThat(output).contains("Calls of the leader succeed again, after 47 s");
		assertThat(this.process.fired("a")).containsExactly(after(50));
		assertThat(jobs()).isEqualTo(3);
	}

	@Test
	void outageThatTheOnlyFiringFindsBlamesNoSchedule(CapturedOutput output) {
		putDueSoon();
		this.failing.down(true);
		advance(Duration.ofMillis(500));
		assertThat(this.process.run()).isBetween(Duration.ofMillis(1), SECOND);
		assertThat(this.failing.calls()).containsExactly(1);
		assertThat(this.process.events()).isEmpty();
		assertThat(output).contains("Calls of the leader fail");
		this.failing.down(false);
		runFor(SECOND);
		assertThat(this.process.fired("a")).containsExactly(after(10));
	}

	@Test
	void movingSlotBlamesNoScheduleAndFiringsContinueSoonAfterIt(CapturedOutput output) {
		putDueSoon();
		this.failing.moving(true);
		advance(Duration.ofMillis(500));
		runFor(Duration.ofSeconds(47));
		assertThat(this.process.events()).isEmpty();
		assertThat(output).contains("Calls of the leader fail");
		this.failing.moving(false);
		runFor(SECOND);
		assertThat(this.process.fired("a")).containsExactly(after(50));
		assertThat(this.process.events(ScheduleFailed.class)).isEmpty();
	}

	@Test
	void storeThatRefusesAllWritesBlamesNoScheduleAndFiringsContinueSoonAfterIt(CapturedOutput output) {
		putDueSoon();
		readOnly(true);
		advance(Duration.ofMillis(500));
		runFor(Duration.ofSeconds(47));
		assertThat(LogLines.warnings(output)).hasSize(1);
		assertThat(output).contains("Calls of the leader fail").doesNotContain("succeed again");
		readOnly(false);
		runFor(SECOND);
		assertThat(output).contains("Calls of the leader succeed again, after 47 s");
		assertThat(this.process.fired("a")).containsExactly(after(50));
		assertThat(this.process.events(ScheduleFailed.class)).isEmpty();
	}

	private void readOnly(boolean readOnly) {
		this.failing.readOnly(readOnly);
		this.process.lease().reachable(!readOnly);
	}

	@Test
	void leaseThatIsLostWhileAFiringFailsBlamesNoSchedule() {
		putDueSoon();
		this.failing.poison("a");
		this.process.lease().renewable(false);
		advance(Duration.ofMillis(500));
		this.process.run();
		assertThat(this.process.lease().isHeld()).isFalse();
		assertThat(this.failing.calls()).containsExactly(1);
		assertThat(this.process.events()).isEmpty();
	}

	@Test
	void outageAtTheBeginOfATermIsWaitedFor() {
		this.failing.down(true);
		this.process.configured(TestSchedule.of("a", ScheduleOrigin.CONFIGURED));
		assertThat(this.process.run()).isBetween(Duration.ofMillis(1), SECOND);
		this.failing.down(false);
		runFor(SECOND);
		assertThat(names()).containsExactly("a");
	}

	@Test
	void callThatWasInterruptedIsNoOutage(CapturedOutput output) {
		putThree();
		this.failing.down(true);
		Thread.currentThread().interrupt();
		assertThat(this.process.step()).isPositive();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(LogLines.warnings(output)).isEmpty();
	}

	@Test
	void poisonousFiringStopsNoOther(CapturedOutput output) {
		putThree();
		this.failing.poison("b");
		runFor(Duration.ofSeconds(12));
		assertThat(this.process.fired("a")).containsExactly(after(10), after(20));
		assertThat(this.process.fired("c")).containsExactly(after(10), after(20));
		assertThat(this.process.events(ScheduleFailed.class)).containsExactly(
				new ScheduleFailed("b", "job", after(10), "io.locket.queue.QueueUnavailableException: poison"));
		assertThat(this.failing.calls().stream().skip(4)).containsOnlyOnce(2).doesNotContain(3);
		assertThat(LogLines.warnings(output)).hasSize(2);
		this.failing.cure("b");
		runFor(Duration.ofSeconds(10));
		assertThat(this.process.fired("b")).isNotEmpty();
		assertThat(output).contains("Schedule 'b' fires again");
		long jobs = jobs();
		advance(TEN);
		this.process.run();
		assertThat(jobs()).isEqualTo(jobs + 3);
	}

	@Test
	void failureForAnotherReasonIsNoOutageAndEndsTheTerm(CapturedOutput output) {
		putThree();
		this.failing.defect(new IllegalStateException("a bug"));
		advance(SECOND);
		assertThatIllegalStateException().isThrownBy(this.process::step).withMessage("a bug");
		assertThat(LogLines.warnings(output)).isEmpty();
		assertThat(jobs()).isZero();
	}

	@Test
	void firingThatFailsForAnotherReasonStopsNoOtherAndIsNoOutage(CapturedOutput output) {
		putThree();
		this.failing.poison("b", new IllegalArgumentException("a bug"));
		this.process.run();
		assertThat(this.failing.calls()).containsExactly(3, 1, 1, 1, 1);
		assertThat(this.process.fired("a")).containsExactly(after(10));
		assertThat(this.process.fired("c")).containsExactly(after(10));
		assertThat(this.process.events(ScheduleFailed.class))
			.containsExactly(new ScheduleFailed("b", "job", after(10), "java.lang.IllegalArgumentException: a bug"));
		assertThat(output).doesNotContain("Calls of the leader fail");
		assertThat(LogLines.warnings(output)).hasSize(1);
	}

	@Test
	void poisonousFiringIsTriedAloneAlsoWhenOthersAreDue() {
		put("b");
		this.store.put(List.of(everySecond("a"), everySecond("c")), null);
		this.process.run();
		this.failing.poison("b");
		runFor(Duration.ofSeconds(60));
		assertThat(this.failing.calls()).containsOnlyOnce(3);
		assertThat(this.process.fired("a")).hasSize(60);
		assertThat(this.process.fired("c")).hasSize(60);
		int before = this.failing.callsWith("b").size();
		// Now the others have been due for longer.
		advance(Duration.ofSeconds(20));
		this.process.run();
		assertThat(this.failing.callsWith("b")).startsWith(3).hasSizeGreaterThan(before);
		assertThat(this.failing.callsWith("b").stream().skip(1)).containsOnly(1);
	}

	private static ScheduleDefinition everySecond(String name) {
		return new ScheduleDefinition(name, TestSchedule.GROUP, "job", "[1]", null, null, SECOND, ZoneOffset.UTC,
				Misfire.ALL, null, true, null, ScheduleOrigin.PERSISTENT);
	}

	@Test
	void poisonousFiringIsTriedMoreAndMoreSeldom() {
		put("a");
		this.process.run();
		advance(TEN);
		this.failing.poison("a");
		runFor(Duration.ofMinutes(10));
		assertThat(this.failing.calls()).hasSizeBetween(12, 18);
		assertThat(this.process.events(ScheduleMissed.class)).isNotEmpty();
	}

	@Test
	void leaderThatCannotAskWhetherItLeadsFiresNothing() {
		put("a");
		this.process.run();
		this.harness.hold("leader", TTL);
		this.process.lease().renewable(false);
		this.process.lease().reachable(false);
		advance(TEN);
		runFor(Duration.ofSeconds(3));
		assertThat(jobs()).isZero();
		this.process.lease().reachable(true);
		runFor(SECOND);
		assertThat(this.process.lease().isHeld()).isFalse();
		assertThat(this.process.events()).isEmpty();
	}

	@Test
	void recoveryOfAScheduleThatWasPutAgainIsLogged(CapturedOutput output) {
		put("a");
		this.process.run();
		advance(TEN);
		this.failing.poison("a");
		this.process.run();
		assertThat(output).contains("Schedule 'a' could not enqueue job");
		this.failing.cure("a");
		this.store.put(List.of(TestSchedule.every("a", Duration.ofSeconds(5))), null);
		runFor(Duration.ofSeconds(6));
		assertThat(this.process.fired("a")).hasSize(1);
		assertThat(output).contains("Schedule 'a' fires again");
	}

	@Test
	void recoveryOfAScheduleIsLoggedAsOftenAsItsFailure(CapturedOutput output) {
		this.store.put(List.of(everySecond("a")), null);
		this.process.run();
		for (int i = 0; i < 30; i++) {
			advance(SECOND);
			this.failing.poison("a");
			this.process.run();
			this.failing.cure("a");
			advance(SECOND);
			this.process.run();
		}
		assertThat(this.process.events(ScheduleFailed.class)).hasSizeGreaterThan(10);
		assertThat(output.getOut().split("could not enqueue job", -1)).hasSize(2);
		assertThat(output.getOut().split("fires again", -1)).hasSize(2);
	}

}
