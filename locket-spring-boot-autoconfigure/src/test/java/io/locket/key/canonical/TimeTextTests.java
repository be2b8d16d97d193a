package io.locket.key.canonical;

import java.sql.Date;
import java.sql.Time;
import java.time.Instant;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SimpleTimeZone;
import java.util.TimeZone;

import javax.xml.datatype.DatatypeFactory;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TimeText} and {@link SqlText}.
 */
class TimeTextTests {

	private final CanonicalJson json = new CanonicalJson();

	@Test
	void sqlTimeHasTheSameTextWhenTheLocaleHasDigitsOfItsOwn() {
		Time time = new Time(Time.valueOf("10:00:00").getTime() + 250);
		Locale locale = Locale.getDefault();
		Locale.setDefault(Locale.forLanguageTag("ar-EG"));
		try {
			assertThat(this.json.write(time)).isEqualTo("\"10:00:00.250\"");
		}
		finally {
			Locale.setDefault(locale);
		}
	}

	@Test
	void sqlTimesKeepTheirMilliseconds() {
		long ten = Time.valueOf("10:00:00").getTime();
		assertIsWritten(new Time(ten), "10:00:00");
		assertIsWritten(new Time(ten + 7), "10:00:00.007");
		assertIsWritten(new Time(ten + 250), "10:00:00.250");
	}

	@Test
	void sqlTimeBeforeTheEpochKeepsItsMilliseconds() {
		TimeZone zone = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
		try {
			Time time = new Time(Time.valueOf("00:00:00").getTime() + 250);
			assertThat(time.getTime()).isNegative();
			assertIsWritten(time, "00:00:00.250");
		}
		finally {
			TimeZone.setDefault(zone);
		}
	}

	@Test
	void sqlTimesAndDatesWithPartsOutsideTheirTypeAreRefused() {
		assertIsWritten(Date.valueOf("2026-05-01"), "2026-05-01");
		assertIsRefused(new Date(Date.valueOf("2026-05-01").getTime() + 1));
		assertIsRefused(new Time(Date.valueOf("2026-05-01").getTime()));
	}

	@Test
	void zonesAreWrittenByTheirIdIfItDefinesTheirRules() {
		assertIsWritten(TimeZone.getTimeZone("Europe/Berlin"), "Europe/Berlin");
		assertIsWritten(TimeZone.getTimeZone("GMT+02:00"), "GMT+02:00");
		assertIsWritten(new SimpleTimeZone(0, "UTC"), "UTC");
		assertIsRefused(new SimpleTimeZone(7_200_000, "Europe/Berlin"));
		assertIsRefused(new SimpleTimeZone(7_200_000, "Mine"));
		assertIsRefused(new SimpleTimeZone(0, "Mine"));
	}

	@Test
	void calendarsKeepTheirZone() {
		assertIsWritten(calendar(TimeZone.getTimeZone("UTC")), "2026-05-01T08:00Z[UTC]");
		assertIsWritten(calendar(TimeZone.getTimeZone("Europe/Berlin")), "2026-05-01T10:00+02:00[Europe/Berlin]");
		assertIsWritten(calendar(TimeZone.getTimeZone("GMT+02:00")), "2026-05-01T10:00+02:00[GMT+02:00]");
		Calendar calendar = calendar(new SimpleTimeZone(7_200_000, "Mine"));
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(calendar))
			.withMessageContaining("java.util.SimpleTimeZone");
	}

	@Test
	void xmlCalendarsKeepWhatIsNotSet() throws Exception {
		DatatypeFactory factory = DatatypeFactory.newInstance();
		assertIsWritten(factory.newXMLGregorianCalendar("2026-05-01"), "2026-05-01");
		assertIsWritten(factory.newXMLGregorianCalendar("2026-05-01T00:00:00Z"), "2026-05-01T00:00:00Z");
	}

	private static Calendar calendar(TimeZone zone) {
		Calendar calendar = new GregorianCalendar(zone);
		calendar.setTimeInMillis(Instant.parse("2026-05-01T08:00:00Z").toEpochMilli());
		return calendar;
	}

	private void assertIsWritten(Object value, String text) {
		String expected = this.json.write(text);
		assertThat(this.json.write(value)).isEqualTo(expected);
		assertThat(this.json.write(List.of(value))).isEqualTo("[" + expected + "]");
		assertThat(this.json.write(new Holder(value))).isEqualTo("{\"value\":" + expected + "}");
		assertThat(this.json.write(Map.of(value, 1))).isEqualTo("{" + expected + ":1}");
	}

	private void assertIsRefused(Object value) {
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(value))
			.withMessage("a " + value.getClass().getTypeName()
					+ " in it has a text that does not represent its whole value");
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(Map.of(value, 1)));
	}

	record Holder(Object value) {
	}

}
