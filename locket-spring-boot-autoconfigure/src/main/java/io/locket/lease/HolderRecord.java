package io.locket.lease;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the holder of a lease writes down about itself:
 * {@code <token> <fence> <since ms> <JSON>}.
 */
record HolderRecord(String token, long fence, Instant since, Body body) {

	private static final JsonMapper mapper = JsonMapper.builder().build();

	/**
	 * Write the part of a record that is known before the lease is taken.
	 */
	static String body(JobKey key, String instance, String thread) {
		return mapper.writeValueAsString(new Body(key.job(), key.text(), instance, thread));
	}

	/**
	 * Read a record.
	 * @return the record, or {@code null} if the text is none
	 */
	static @Nullable HolderRecord parse(String text) {
		String[] parts = text.split(" ", 4);
		if (parts.length < 4) {
			return null;
		}
		try {
			return new HolderRecord(parts[0], Long.parseLong(parts[1]), Instant.ofEpochMilli(Long.parseLong(parts[2])),
					mapper.readValue(parts[3], Body.class));
		}
		catch (NumberFormatException | JacksonException ex) {
			return null;
		}
	}

	/**
	 * Describe the lease of a key: by its record if that is the owner's, else as foreign.
	 */
	static HeldLease describe(String digest, String owner, String text, @Nullable Duration remaining, Instant now) {
		HolderRecord holder = parse(text);
		if (holder == null || !holder.token().equals(owner)) {
			return new HeldLease(digest, null, null, LeaseHolder.foreign(), null, remaining);
		}
		Duration age = Duration.between(holder.since(), now);
		return new HeldLease(digest, holder.body().job(), holder.body().key(), holder.toLeaseHolder(),
				age.isNegative() ? Duration.ZERO : age, remaining);
	}

	LeaseHolder toLeaseHolder() {
		return new LeaseHolder(this.body.instance(), this.body.thread(), this.since, this.fence);
	}

	record Body(String job, String key, String instance, String thread) {
	}

}
