package io.locket.lease.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.lease.HeldLease;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.json.JsonMapper;

/**
 * Value of a lock or claim, which describes its holder:
 * {@code <token> <fence> <since ms> <JSON>}, and a mark if it may have a waiter. Later
 * versions may add fields to the JSON.
 */
record HolderRecord(String token, long fence, Instant since, Body body) {

	/**
	 * Suffix of the value of a lock that may have a waiter.
	 */
	static final String WAITER = " w";

	private static final JsonMapper mapper = JsonMapper.builder().build();

	/**
	 * Writes the part of a record that is known before the lease is taken.
	 */
	static String body(JobKey key, String instance, String thread) {
		StringBuilder json = new StringBuilder(96 + key.text().length());
		append(json.append("{\"job\":"), key.job());
		append(json.append(",\"key\":"), key.text());
		append(json.append(",\"instance\":"), instance);
		append(json.append(",\"thread\":"), thread);
		return json.append('}').toString();
	}

	private static void append(StringBuilder json, String text) {
		json.append('"');
		JsonStringEncoder.getInstance().quoteAsString(text, json);
		json.append('"');
	}

	/**
	 * Reads a record.
	 * @return the record, or {@code null} if the text is not a record
	 */
	static @Nullable HolderRecord parse(String text) {
		String[] parts = text.split(" ", 4);
		if (parts.length < 4) {
			return null;
		}
		try {
			Body body = mapper.readValue(withoutMark(parts[3]), Body.class);
			return isWhole(body) ? new HolderRecord(parts[0], Long.parseLong(parts[1]),
					Instant.ofEpochMilli(Long.parseLong(parts[2])), body) : null;
		}
		catch (NumberFormatException | JacksonException ex) {
			return null;
		}
	}

	/**
	 * Returns whether the value of a lock is that of a queued run, whose record is
	 * derived from its job.
	 */
	static boolean isRun(String value) {
		return value.startsWith("run:");
	}

	private static String withoutMark(String json) {
		return json.endsWith(WAITER) ? json.substring(0, json.length() - WAITER.length()) : json;
	}

	/**
	 * Returns whether a body has all its parts. A damaged body may lack some.
	 */
	private static boolean isWhole(@Nullable Body body) {
		return body != null
				&& Stream.of(body.job(), body.key(), body.instance(), body.thread()).noneMatch(Objects::isNull);
	}

	/**
	 * Describes the lease or claim of a key. It is foreign if its text is not a record.
	 */
	static HeldLease describe(String digest, String text, @Nullable Duration remaining, Instant now, boolean claim) {
		HolderRecord holder = parse(text);
		if (holder == null) {
			return new HeldLease(digest, null, null, LeaseHolder.foreign(), null, remaining, LeaseKind.FOREIGN);
		}
		return holder.describe(digest, remaining, now, claim ? LeaseKind.CLAIM : LeaseKind.ofJob(holder.body().job()));
	}

	/**
	 * Describes the lease or claim that wrote this record.
	 */
	HeldLease describe(String digest, @Nullable Duration remaining, Instant now, LeaseKind kind) {
		Duration age = Duration.between(this.since, now);
		return new HeldLease(digest, this.body.job(), this.body.key(), toLeaseHolder(),
				age.isNegative() ? Duration.ZERO : age, remaining, kind);
	}

	LeaseHolder toLeaseHolder() {
		return new LeaseHolder(this.body.instance(), this.body.thread(), this.since, this.fence);
	}

	record Body(String job, String key, String instance, String thread) {
	}

}
