package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import io.locket.JobState;
import io.locket.queue.JobListing;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Puts what is to be listed, and what was seen, into the form that scripts expect.
 */
final class ListingFormat {

	private static final Pattern PLACE = Pattern
		.compile("-?[0-9]{1,17}([.][0-9]{1,17})?(e[+]?[0-9]{1,2})? [A-Za-z0-9_.-]{1,64}");

	/**
	 * Possessive, so that a long cursor costs no deep stack.
	 */
	private static final Pattern SCAN = Pattern.compile("[0-9]{1,19}( [A-Za-z0-9_.-]{1,64})*+");

	private ListingFormat() {
	}

	static List<String> write(JobListing listing) {
		String cursor = Objects.requireNonNullElse(listing.cursor(), "");
		Pattern form = (listing.state() == JobState.RUNNING) ? SCAN : PLACE;
		Assert.isTrue(cursor.isEmpty() || form.matcher(cursor).matches(),
				() -> "'" + cursor + "' is no cursor of a page of jobs that are " + listing.state());
		return List.of(RecordFormat.lower(listing.state()), text(listing.queue()), text(listing.job()),
				text(listing.digest()), Integer.toString(listing.limit()), cursor, millis(listing.dueFrom()),
				millis(listing.dueUntil()));
	}

	/**
	 * Return a time in milliseconds, or nothing.
	 */
	static String millis(@Nullable Instant time) {
		return (time != null) ? Long.toString(time.toEpochMilli()) : "";
	}

	private static String text(@Nullable String text) {
		return Objects.requireNonNullElse(text, "");
	}

	/**
	 * Return the SHA-1 of arguments, as the scripts of Redis can make it, or nothing.
	 */
	static String sha1(@Nullable String arguments) {
		if (arguments == null) {
			return "";
		}
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-1");
			return HexFormat.of().formatHex(digest.digest(arguments.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-1", ex);
		}
	}

}
