package io.locket.key;

import java.io.File;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Calendar;
import java.util.Date;
import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The text of scalars that Jackson would write in a lossy way, or in one that depends on
 * the machine. A value whose text does not tell all of it is refused.
 */
final class ScalarText {

	private ScalarText() {
	}

	/**
	 * Return how a type is written as a string, be it as a value or as the key of a map.
	 * @param type the type
	 * @return the writer, or {@code null} if it is not written as a string
	 */
	static @Nullable Function<Object, String> writer(Class<?> type) {
		if (CharSequence.class.isAssignableFrom(type) || File.class.isAssignableFrom(type)) {
			return Object::toString;
		}
		if (Path.class.isAssignableFrom(type)) {
			return (value) -> ofPath((Path) value);
		}
		if (Locale.class.isAssignableFrom(type)) {
			return (value) -> ((Locale) value).toLanguageTag();
		}
		if (type.getName().startsWith("java.time.") && (TemporalAccessor.class.isAssignableFrom(type)
				|| TemporalAmount.class.isAssignableFrom(type) || ZoneId.class.isAssignableFrom(type))) {
			return Object::toString;
		}
		if (type.getName().equals("java.sql.Date") || type.getName().equals("java.sql.Time")) {
			return Object::toString;
		}
		if (Date.class.isAssignableFrom(type)) {
			return (value) -> ((Date) value).toInstant().toString();
		}
		if (Calendar.class.isAssignableFrom(type)) {
			return (value) -> zoned((Calendar) value).toString();
		}
		return null;
	}

	/**
	 * Write a path as it was given. Neither the file system's content nor the working
	 * directory counts. The text of a path of another file system does not tell which
	 * one.
	 */
	private static String ofPath(Path path) {
		return whole(path, path.toString(), path.getFileSystem().equals(FileSystems.getDefault()));
	}

	private static ZonedDateTime zoned(Calendar calendar) {
		return ZonedDateTime.ofInstant(calendar.toInstant(), calendar.getTimeZone().toZoneId());
	}

	private static String whole(Object value, String text, boolean whole) {
		if (!whole) {
			throw CanonicalJsonException.lossy(value.getClass());
		}
		return text;
	}

}
