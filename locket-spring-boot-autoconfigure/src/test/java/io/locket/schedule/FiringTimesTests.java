package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
		ScheduleDefinition definition = new ScheduleDefinition("a", "job", "[]", null, cron, every, zone,
				Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT);
		return new StoredSchedule(definition, 1, false, since, since, null, null);
	}

}
