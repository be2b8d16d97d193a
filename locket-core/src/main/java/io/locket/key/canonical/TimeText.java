package io.locket.key.canonical;

import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Calendar;
import java.util.Date;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Text of dates, times and time zones.
 */
final class TimeText {

	private TimeText() {
	}

	/**
	 * Returns the writer of a type of dates, times or time zones.
	 * @param type the type
	 * @return the writer, or {@code null} if it is another type
	 */
	static @Nullable Function<Object, String> writer(Class<?> type) {
		if (type.getName().startsWith("java.time.") && (TemporalAccessor.class.isAssignableFrom(type)
				|| TemporalAmount.class.isAssignableFrom(type) || ZoneId.class.isAssignableFrom(type))) {
			return Object::toString;
		}
		if (Date.class.isAssignableFrom(type)) {
			return dateWriter(CanonicalSerializers.typeNames(type));
		}
		if (Calendar.class.isAssignableFrom(type)) {
			return (value) -> ofCalendar((Calendar) value);
		}
		if (TimeZone.class.isAssignableFrom(type)) {
			return (value) -> ofZone((TimeZone) value);
		}
		if (CanonicalSerializers.typeNames(type).contains("javax.xml.datatype.XMLGregorianCalendar")) {
			return Object::toString;
		}
		return null;
	}

	private static Function<Object, String> dateWriter(Set<String> names) {
		if (names.contains("java.sql.Date")) {
			return SqlText::ofDate;
		}
		if (names.contains("java.sql.Time")) {
			return SqlText::ofTime;
		}
		return (value) -> ((Date) value).toInstant().toString();
	}

	private static String ofCalendar(Calendar calendar) {
		String zone = ofZone(calendar.getTimeZone());
		int offset = calendar.getTimeZone().getOffset(calendar.getTimeInMillis());
		ZoneOffset zoneOffset = ZoneOffset.ofTotalSeconds(offset / 1000);
		return OffsetDateTime.ofInstant(calendar.toInstant(), zoneOffset) + "[" + zone + "]";
	}

	/**
	 * Writes the id of a time zone, which must denote the same rules everywhere.
	 */
	private static String ofZone(TimeZone zone) {
		TimeZone known = TimeZone.getTimeZone(zone.getID());
		return ScalarText.whole(zone, zone.getID(), known.getID().equals(zone.getID()) && known.hasSameRules(zone));
	}

}
