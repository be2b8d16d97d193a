package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.schedule.FiringTimes;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.firing.FiringPlan.MisfireRules;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FiringPlan} with a schedule that fires every ten seconds. A delay of
 * more than 5 s counts as missed, and the catch-up time is a minute.
 */
class FiringPlanTests {

	private static final MisfireRules RULES = new MisfireRules(Duration.ofSeconds(5), Duration.ofMinutes(1));

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void nothingIsDueBeforeItsTime(Misfire misfire) {
		FiringPlan plan = plan(schedule(misfire, null, null), START, at(9.999));
		assertThat(plan.due()).isEmpty();
		assertThat(plan.next()).isEqualTo(at(10));
		assertThat(plan(schedule(misfire, null, null), START, START.minusSeconds(5)))
			.isEqualTo(new FiringPlan(List.of(), START, at(10)));
	}

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void timeFiresWhenItHasComeAndUpToFiveSecondsLate(Misfire misfire) {
		for (double now : new double[] { 10, 10.001, 15 }) {
			FiringPlan plan = plan(schedule(misfire, null, null), START, at(now));
			assertThat(plan).isEqualTo(new FiringPlan(List.of(at(10)), at(now), at(20)));
		}
	}

	@Test
	void whatWasMissedIsSkippedOrMadeUpFor() {
		assertThat(plan(schedule(Misfire.SKIP, null, null), START, at(35.001)).due()).isEmpty();
		assertThat(plan(schedule(Misfire.LATEST, null, null), START, at(35.001)).due()).containsExactly(at(30));
		assertThat(plan(schedule(Misfire.ALL, null, null), START, at(35.001)).due()).containsExactly(at(10), at(20),
				at(30));
	}

	@Test
	void whatIsOnTimeFiresBesideWhatWasMissed() {
		assertThat(plan(schedule(Misfire.SKIP, null, null), START, at(41)).due()).containsExactly(at(40));
		assertThat(plan(schedule(Misfire.LATEST, null, null), START, at(41)).due()).containsExactly(at(30), at(40));
		assertThat(plan(schedule(Misfire.ALL, null, null), START, at(41)).due()).containsExactly(at(10), at(20), at(30),
				at(40));
	}

	@Test
	void nothingIsMadeUpForBeyondWhatIsCaughtUpOn() {
		assertThat(plan(schedule(Misfire.ALL, null, null), START, at(100)).due()).first().isEqualTo(at(40));
		assertThat(plan(schedule(Misfire.ALL, null, null), START, at(100.001)).due()).first().isEqualTo(at(50));
		Duration shortTime = Duration.ofSeconds(7);
		assertThat(plan(schedule(Misfire.LATEST, shortTime, null), START, at(37)).due()).containsExactly(at(30));
		assertThat(plan(schedule(Misfire.LATEST, shortTime, null), START, at(37.001)).due()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void whatIsOnTimeFiresHoweverLittleIsCaughtUpOn(Misfire misfire) {
		assertThat(plan(schedule(misfire, Duration.ZERO, null), START, at(34)).due()).containsExactly(at(30));
	}

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void whatHasFiredOrIsSettledDoesNotFireAgain(Misfire misfire) {
		assertThat(plan(schedule(misfire, null, at(30)), START, at(32)).due()).isEmpty();
		assertThat(plan(schedule(misfire, null, null), at(32), at(33)).due()).isEmpty();
		assertThat(plan(schedule(misfire, null, at(30)), START, at(41)).due()).containsExactly(at(40));
	}

	@Test
	void moreThanGoesIntoACallIsLeftForTheNext() {
		StoredSchedule schedule = schedule(Misfire.ALL, Duration.ofDays(1), null);
		FiringPlan first = plan(schedule, START, at(1505));
		assertThat(first.due()).containsExactlyElementsOf(
				IntStream.rangeClosed(1, ScheduleStore.BATCH).mapToObj((i) -> at(10 * i)).toList());
		assertThat(first.next()).isEqualTo(at(1010));
		FiringPlan second = plan(schedule, first.settled(), at(1505));
		assertThat(second.due()).hasSize(50).first().isEqualTo(at(1010));
		assertThat(second.settled()).isEqualTo(at(1505));
		assertThat(second.next()).isEqualTo(at(1510));
	}

	private static FiringPlan plan(StoredSchedule schedule, Instant settled, Instant now) {
		return FiringPlan.of(schedule, FiringTimes.of(schedule), settled, now, RULES, schedule.definition().misfire());
	}

	private static Instant at(double seconds) {
		return START.plusMillis(Math.round(seconds * 1000));
	}

	private static StoredSchedule schedule(Misfire misfire, @Nullable Duration catchUp, @Nullable Instant lastFired) {
		ScheduleDefinition definition = new ScheduleDefinition("a", "group", "job", "[]", null, null,
				Duration.ofSeconds(10), ZoneOffset.UTC, misfire, catchUp, true, null, ScheduleOrigin.PERSISTENT);
		return new StoredSchedule(definition, 1, false, START, START, lastFired, null);
	}

}
