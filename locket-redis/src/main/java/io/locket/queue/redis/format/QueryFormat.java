package io.locket.queue.redis.format;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import io.locket.JobState;
import io.locket.queue.spi.JobQuery;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Encoder of listings and of the expected state of jobs for the arguments of scripts.
 */
public final class QueryFormat {

	private static final Pattern PLACE = Pattern
		.compile("-?[0-9]{1,17}([.][0-9]{1,17})?(e[+]?[0-9]{1,2})? [A-Za-z0-9_.-]{1,64}");

	/**
	 * Cursor of a scan. The possessive quantifier keeps the stack flat for a long cursor.
	 */
	private static final Pattern SCAN = Pattern.compile("[0-9]{1,19}( [A-Za-z0-9_.-]{1,64})*+");

	private QueryFormat() {
	}

	public static List<String> write(JobQuery listing) {
		String cursor = Objects.requireNonNullElse(listing.cursor(), "");
		Pattern form = (listing.state() == JobState.RUNNING) ? SCAN : PLACE;
		Assert.isTrue(cursor.isEmpty() || form.matcher(cursor).matches(),
				() -> "'" + cursor + "' is no cursor of a page of jobs that are " + listing.state());
		return List.of(RecordFormat.lower(listing.state()), text(listing.queue()), text(listing.job()),
				text(listing.digest()), Integer.toString(listing.limit()), cursor, millis(listing.dueFrom()),
				millis(listing.dueUntil()));
	}

	/**
	 * Returns a time in milliseconds, or an empty text for {@code null}.
	 * @param time the time
	 * @return a time in milliseconds, or an empty text for {@code null}
	 */
	public static String millis(@Nullable Instant time) {
		return (time != null) ? Long.toString(time.toEpochMilli()) : "";
	}

	private static String text(@Nullable String text) {
		return Objects.requireNonNullElse(text, "");
	}

	/**
	 * Returns the SHA-1 of arguments in hexadecimal form, as {@code redis.sha1hex}
	 * computes it, or an empty text for {@code null}.
	 * @param arguments the arguments as JSON
	 * @return the SHA-1 of arguments in hexadecimal form, as {@code redis.sha1hex}
	 * computes it, or an empty text for {@code null}
	 */
	public static String sha1(@Nullable String arguments) {
		if (arguments == null) {
			return "";
		}
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-1");
			return HexFormat.of().formatHex(digest.digest(arguments.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-1 is not available", ex);
		}
	}

}
