package io.locket.key.canonical;

import java.sql.Date;
import java.sql.Time;
import java.util.Locale;

/**
 * Text of the dates and times of JDBC. Loaded only if JDBC is available. A date with a
 * time of day, or a time with a date, is refused.
 */
final class SqlText {

	private SqlText() {
	}

	static String ofDate(Object value) {
		String text = value.toString();
		return ScalarText.whole(value, text, Date.valueOf(text).getTime() == ((Date) value).getTime());
	}

	static String ofTime(Object value) {
		String seconds = value.toString();
		long time = ((Time) value).getTime();
		long millis = Math.floorMod(time, 1000L);
		String text = (millis != 0) ? String.format(Locale.ROOT, "%s.%03d", seconds, millis) : seconds;
		return ScalarText.whole(value, text, Time.valueOf(seconds).getTime() + millis == time);
	}

}
