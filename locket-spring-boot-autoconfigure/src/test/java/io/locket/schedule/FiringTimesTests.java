package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.support.CronExpression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link FiringTimes}. In Berlin clocks were put forward on 2026-03-29 from
 * 02:00 to 03:00, and back on 2026-10-25 from 03:00 to 02:00.
 */
class FiringTimesTests {

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

	@Test
	void cronFiresInItsZone() {
		assertThat(times("0 0 9 * * MON-FRI", BERLIN, "2026-01-02T12:00:00Z", 2)).containsExactly("2026-01-05T08:00Z",
				"2026-01-06T08:00Z");
		assertThat(times("0 0 9 * * *", ZoneId.of("America/New_York"), "2026-07-01T00:00:00Z", 1))
			.containsExactly("2026-07-01T13:00Z");
	}

	@ParameterizedTest
	@CsvSource({ "@hourly,2026-01-02T13:00Z", "@daily,2026-01-03T00:00Z", "@weekly,2026-01-04T00:00Z",
			"@monthly,2026-02-01T00:00Z", "@yearly,2027-01-01T00:00Z" })
	void macroIsACron(String macro, String next) {
		assertThat(times(macro, ZoneOffset.UTC, "2026-01-02T12:00:00Z", 1)).containsExactly(next);
	}

	@Test
	void timeThatClocksSkipFiresAtTheEndOfWhatTheySkip() {
		assertThat(times("0 30 2 * * *", BERLIN, "2026-03-28T00:00:00Z", 3)).containsExactly("2026-03-28T01:30Z",
				"2026-03-29T01:00Z", "2026-03-30T00:30Z");
		assertThat(times("0 0/20 2 * * *", BERLIN, "2026-03-28T12:00:00Z", 2)).containsExactly("2026-03-29T01:00Z",
				"2026-03-30T00:00Z");
		assertThat(times("0 0 2,3 * * *", BERLIN, "2026-03-28T12:00:00Z", 2)).containsExactly("2026-03-29T01:00Z",
				"2026-03-30T00:00Z");
	}

	@Test
	void timeThatClocksShowTwiceFiresTheFirstTime() {
		assertThat(times("0 30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2)).containsExactly("2026-10-25T00:30Z",
				"2026-10-26T01:30Z");
		assertThat(times("0 30 2 * * *", BERLIN, "2026-10-25T01:10:00Z", 1)).containsExactly("2026-10-26T01:30Z");
		assertThat(times("0 0 3 * * *", BERLIN, "2026-10-25T00:10:00Z", 1)).containsExactly("2026-10-25T02:00Z");
	}

	@Test
	void timeOfADayFiresOnceOnEachDayOfTheYear() {
		for (String cron : List.of("0 30 2 * * *", "0 0 3 * * *", "@midnight")) {
			List<String> year = times(cron, BERLIN, "2025-12-31T23:00:00Z", 366);
			assertThat(year.get(0)).startsWith((cron.equals("@midnight")) ? "2026-01-01T23" : "2026-01-01");
			assertThat(year.get(364)).startsWith((cron.equals("@midnight")) ? "2026-12-31T23" : "2026-12-31");
		}
	}

	@Test
	void cronForAnyHourGoesByTheTimeThatPasses() {
		assertThat(times("0 0 * * * *", BERLIN, "2026-03-28T23:30:00Z", 4)).containsExactly("2026-03-29T00:00Z",
				"2026-03-29T01:00Z", "2026-03-29T02:00Z", "2026-03-29T03:00Z");
		assertThat(times("@hourly", BERLIN, "2026-10-24T23:30:00Z", 4)).containsExactly("2026-10-25T00:00Z",
				"2026-10-25T01:00Z", "2026-10-25T02:00Z", "2026-10-25T03:00Z");
		assertThat(times("0 */30 * * * *", BERLIN, "2026-10-25T00:15:00Z", 4)).containsExactly("2026-10-25T00:30Z",
				"2026-10-25T01:00Z", "2026-10-25T01:30Z", "2026-10-25T02:00Z");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "0 0 * * * *", "0 0 0/1 * * ?", "0 0 */1 * * *", "0 0 0-23 * * *", "0 0 0-11,12-23 * * *" })
	void anyHourIsMeantHoweverItIsWritten(String cron) {
		assertThat(times(cron, BERLIN, "2026-10-24T23:30:00Z", 4)).containsExactly("2026-10-25T00:00Z",
				"2026-10-25T01:00Z", "2026-10-25T02:00Z", "2026-10-25T03:00Z");
	}

	@Test
	void everySixthHourIsForCertainHours() {
		ZoneId havana = ZoneId.of("America/Havana");
		assertThat(times("0 0 */6 * * *", havana, "2026-10-31T22:30:00Z", 3)).containsExactly("2026-11-01T04:00Z",
				"2026-11-01T11:00Z", "2026-11-01T17:00Z");
	}

	@ParameterizedTest
	@CsvSource({ "@hourly,Australia/Lord_Howe,2027-04-03T14:00:00Z",
			"0 15 * * * *,Australia/Lord_Howe,2027-04-03T14:45:00Z",
			"0 */5 * * * *,Pacific/Chatham,2027-04-03T13:55:00Z" })
	void timesGoOnWhereClocksMoveByHalfAnHourOrWithinOne(String cron, String zone, String after) {
		Instant from = Instant.parse(after);
		FiringTimes times = FiringTimes.of(stored(cron, null, ZoneId.of(zone)));
		assertThat(times.next(from))
			.isEqualTo(brute(CronExpression.parse(cron), ZoneId.of(zone), from, from.plusSeconds(7200)).get(0));
	}

	/**
	 * An expression that follows elapsed time fires exactly when a wall clock shows one
	 * of its times.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Chatham", "America/Havana",
			"Atlantic/Azores", "Africa/Casablanca", "Antarctica/Troll", "Asia/Beirut", "America/Santiago" })
	void anyHourFiresWhenTheClockOnTheWallShowsIt(String name) {
		ZoneId zone = ZoneId.of(name);
		for (String cron : List.of("0 0 * * * *", "0 */7 * * * *", "0 15 * * * *", "0 0 * * * SUN", "0 59 * 1W * *",
				"30 29 0-23 * * *", "0 0/20 * 25-31 * *")) {
			CronExpression expression = CronExpression.parse(cron);
			FiringTimes times = FiringTimes.of(stored(cron, null, zone));
			Instant transition = Instant.parse("2026-01-01T00:00:00Z");
			for (int i = 0; i < 4; i++) {
				transition = zone.getRules().nextTransition(transition).getInstant();
				Instant from = transition.minus(Duration.ofHours(3));
				Instant to = transition.plus(Duration.ofHours(3));
				List<Instant> found = new ArrayList<>();
				Instant time = times.next(from);
				while (time != null && !time.isAfter(to)) {
					found.add(time);
					time = times.next(time);
				}
				assertThat(found).as("%s in %s around %s", cron, zone, transition)
					.isEqualTo(brute(expression, zone, from, to));
			}
		}
	}

	private static List<Instant> brute(CronExpression expression, ZoneId zone, Instant from, Instant to) {
		List<Instant> found = new ArrayList<>();
		for (Instant time = from.plusSeconds(30); !time.isAfter(to); time = time.plusSeconds(30)) {
			LocalDateTime local = LocalDateTime.ofInstant(time, zone);
			if (local.equals(expression.next(local.minusSeconds(1)))) {
				found.add(time);
			}
		}
		return found;
	}

	@Test
	void timesThatDoNotGoOnAreRefused() {
		FiringTimes stuck = new FiringTimes() {

			@Override
			Instant find(Instant after) {
				return after;
			}

		};
		assertThatIllegalStateException().isThrownBy(() -> stuck.next(Instant.EPOCH));
	}

	@Test
	void lastTimeOfALongSpanWithManyTimesIsFoundByFewSteps() {
		FiringTimes seconds = FiringTimes.of(stored("* * * * 1 *", null, ZoneOffset.UTC));
		AtomicInteger steps = new AtomicInteger();
		FiringTimes counted = new FiringTimes() {

			@Override
			@Nullable Instant find(Instant after) {
				steps.incrementAndGet();
				return seconds.next(after);
			}

		};
		Instant upTo = Instant.parse("2026-12-31T00:00:00Z");
		assertThat(counted.last(upTo.minus(Duration.ofDays(365)), upTo))
			.isEqualTo(Instant.parse("2026-01-31T23:59:59Z"));
		assertThat(steps).hasValueLessThan(150);
	}

	@Test
	void midnightThatClocksSkipOrShowTwiceFiresOnce() {
		ZoneId havana = ZoneId.of("America/Havana");
		assertThat(times("@daily", havana, "2026-03-07T12:00:00Z", 2)).containsExactly("2026-03-08T05:00Z",
				"2026-03-09T04:00Z");
		assertThat(times("@daily", havana, "2026-10-31T12:00:00Z", 2)).containsExactly("2026-11-01T04:00Z",
				"2026-11-02T05:00Z");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 0 0 30 2 *", "0 0 0 31 4,6,9,11 *" })
	void cronThatNeverFiresIsRefused(String cron) {
		assertThatIllegalArgumentException().isThrownBy(() -> stored(cron, null, BERLIN))
			.withMessageContaining("never fires");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "* * * *", "0 0 25 * * *", "@noon" })
	void cronThatDoesNotParseIsRefused(String cron) {
		assertThatIllegalArgumentException().isThrownBy(() -> stored(cron, null, BERLIN));
	}

	@Test
	void intervalCountsFromWhenTheScheduleWasKnown() {
		FiringTimes times = FiringTimes.of(stored(null, Duration.ofSeconds(10), BERLIN));
		Instant since = Instant.parse("2026-01-01T00:00:03Z");
		assertThat(times.next(since.minusSeconds(100))).isEqualTo(since.plusSeconds(10));
		assertThat(times.next(since)).isEqualTo(since.plusSeconds(10));
		assertThat(times.next(since.plusMillis(9_999))).isEqualTo(since.plusSeconds(10));
		assertThat(times.next(since.plusSeconds(10))).isEqualTo(since.plusSeconds(20));
		assertThat(times.next(since.plusSeconds(86_401))).isEqualTo(since.plusSeconds(86_410));
	}

	@ParameterizedTest
	@ValueSource(strings = { "* * * * * *", "0 */7 * * * *", "* * 2 * * *", "0 0 4 1 * *", "0 0 0 29 2 *" })
	void lastTimeOfASpanIsTheOneThatIsFollowedByNoneInIt(String cron) {
		FiringTimes times = FiringTimes.of(stored(cron, null, BERLIN));
		Instant upTo = Instant.parse("2026-10-25T10:17:31Z");
		Instant last = times.last(upTo.minus(Duration.ofDays(3000)), upTo);
		assertThat(last).isNotNull().isBeforeOrEqualTo(upTo);
		assertThat(times.next(last)).isAfter(upTo);
		assertThat(times.last(last.minusMillis(1), last)).isEqualTo(last);
		assertThat(times.last(last, upTo)).isNull();
		assertThat(times.last(upTo, upTo)).isNull();
		assertThat(times.last(upTo, upTo.minusSeconds(1))).isNull();
	}

	@Test
	void lastTimeMayBeInTheMiddleOfTheSpan() {
		FiringTimes times = FiringTimes.of(stored("0,10,20 * * * * *", null, BERLIN));
		Instant minute = Instant.parse("2026-10-25T10:17:00Z");
		assertThat(times.last(minute.minusSeconds(1), minute.plusSeconds(30))).isEqualTo(minute.plusSeconds(20));
	}

	private static List<String> times(String cron, ZoneId zone, String after, int count) {
		FiringTimes times = FiringTimes.of(stored(cron, null, zone));
		List<String> found = new ArrayList<>();
		Instant time = Instant.parse(after);
		for (int i = 0; i < count; i++) {
			Instant next = times.next(time);
			assertThat(next).isAfter(time);
			found.add(OffsetDateTime.ofInstant(next, ZoneOffset.UTC).toString());
			time = next;
		}
		return found;
	}

	private static StoredSchedule stored(@Nullable String cron, @Nullable Duration every, ZoneId zone) {
		Instant since = Instant.parse("2026-01-01T00:00:03Z");
		ScheduleDefinition definition = new ScheduleDefinition("a", "group", "job", "[]", null, cron, every, zone,
				Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT);
		return new StoredSchedule(definition, 1, false, since, since, null, null);
	}

}
