package io.locket.queue.redis.format;

import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import io.locket.queue.FailedAttempt;
import io.locket.queue.spi.RunEnd;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of the problems of failed attempts, and decoder of the attempts of a job.
 * {@code settle.lua} and {@code attempts.lua} describe the formats.
 */
public final class AttemptsFormat {

	private static final Log logger = LogFactory.getLog(AttemptsFormat.class);

	private static final int VERSION = 1;

	private AttemptsFormat() {
	}

	/**
	 * Returns the error and the stack trace of a run as an argument of
	 * {@code settle.lua}.
	 * @param end the end of the run
	 * @return the argument, empty without an error
	 */
	public static String problem(RunEnd end) {
		String error = end.error();
		return (error != null) ? error.getBytes(StandardCharsets.UTF_8).length + " " + error
				+ Objects.requireNonNullElse(end.stackTrace(), "") : "";
	}

	/**
	 * Reads the failed attempts of a job.
	 * @param id the id of the job
	 * @param bytes the stored attempts, or {@code null}
	 * @return the attempts, the latest first; none if they cannot be read
	 */
	public static List<FailedAttempt> read(String id, byte @Nullable [] bytes) {
		if (bytes == null) {
			return List.of();
		}
		try {
			FieldReader reader = new FieldReader(bytes);
			if (reader.number(1) != VERSION) {
				throw new IllegalArgumentException("Unknown version of attempts");
			}
			List<Stored> stored = new ArrayList<>();
			while (reader.hasMore()) {
				stored.add(Stored.read(reader));
			}
			return attempts(stored);
		}
		catch (BufferUnderflowException | IllegalArgumentException ex) {
			logger.warn("The failed attempts of job " + id
					+ " cannot be read: a later version of Locket wrote them, or they are damaged", ex);
			return List.of();
		}
	}

	private static List<FailedAttempt> attempts(List<Stored> stored) {
		List<FailedAttempt> attempts = new ArrayList<>();
		FailedAttempt later = null;
		Collections.reverse(stored);
		for (Stored one : stored) {
			later = (one.same() && later != null) ? one.with(later.error(), later.stackTrace())
					: one.with(one.error(), one.stackTrace());
			attempts.add(later);
		}
		return attempts;
	}

	/**
	 * Stored attempt.
	 *
	 * @param same whether the error and the stack trace are those of the next attempt
	 * @param number the number of the attempt
	 * @param startedAt the time when its run was handed out
	 * @param endedAt the time when its failure was stored
	 * @param instance the process of the run, or {@code null}
	 * @param error the error, or {@code null}
	 * @param stackTrace the stack trace, or {@code null}
	 */
	private record Stored(boolean same, int number, Instant startedAt, Instant endedAt, @Nullable String instance,
			@Nullable String error, @Nullable String stackTrace) {

		static Stored read(FieldReader reader) {
			return new Stored(reader.number(1) == 1, (int) reader.number(4), Instant.ofEpochMilli(reader.number(6)),
					Instant.ofEpochMilli(reader.number(6)), reader.textOrNull(2), reader.textOrNull(2),
					reader.textOrNull(2));
		}

		FailedAttempt with(@Nullable String itsError, @Nullable String trace) {
			return new FailedAttempt(this.number, this.startedAt, this.endedAt, this.instance, itsError, trace);
		}

	}

}
