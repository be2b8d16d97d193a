package io.locket.key;

import java.sql.Date;
import java.sql.Time;

/**
 * The text of the dates and times of JDBC. Loaded where they are there only. A date that
 * also holds a time of day, or a time that also holds a date, is refused.
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
		String text = (millis != 0) ? "%s.%03d".formatted(seconds, millis) : seconds;
		return ScalarText.whole(value, text, Time.valueOf(seconds).getTime() + millis == time);
	}

}
