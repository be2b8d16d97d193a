package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.queue.JobRecord;
import io.locket.queue.redis.format.RecordFormat.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Run that {@code turn.lua} or {@code handover.lua} can end without reading its record:
 * the process has the record from its reservation, and the script compares the beginning.
 *
 * @param id the id of the job
 * @param token the token of the run
 * @param nonce the nonce in the token
 * @param begin the beginning of the record, up to the key lease of the run. It is the
 * same for all jobs that were reserved together
 * @param job the name of the job
 * @param queue the name of the queue
 * @param enqueuedAt the time of the enqueue, in ms by the clock of Redis
 * @param startedAt the time of the start, in ms by the clock of Redis
 * @param lockDigest the digest of the key that the run holds, or {@code null}
 * @param ticketDigest the digest of the key whose ticket the job has until it ends, or
 * {@code null}
 * @param hold the minimum hold of the key that the run holds, in ms, 0 for none
 */
public record PlainRun(String id, String token, String nonce, byte[] begin, String job, String queue, long enqueuedAt,
		long startedAt, @Nullable String lockDigest, @Nullable String ticketDigest, long hold) {

	/**
	 * Creates the run of a job that was handed out.
	 * @param token the token of the run
	 * @param stored the job
	 * @param bytes its record
	 * @param other the beginning of another record, which is shared if it is the same
	 * @return the run, or {@code null} if only {@code settle.lua} can end it
	 */
	public static @Nullable PlainRun of(String token, StoredJob stored, byte[] bytes, byte @Nullable [] other) {
		JobRecord record = stored.record();
		if (stored.plainSize() == 0 || record.lock() == LockStrategy.DEFAULT) {
			return null;
		}
		boolean same = other != null && Arrays.equals(other, 0, other.length, bytes, 0, stored.plainSize());
		byte[] begin = (other != null && same) ? other : Arrays.copyOf(bytes, stored.plainSize());
		JobKey key = record.key();
		String digest = (key != null) ? key.digest() : null;
		return new PlainRun(record.id(), token, stored.nonce(), begin, record.job(), record.queue(),
				record.enqueuedAt().toEpochMilli(), Objects.requireNonNull(record.startedAt()).toEpochMilli(),
				stored.keyLease() ? digest : null, (record.lock() == LockStrategy.UNTIL_EXECUTED) ? digest : null,
				stored.keyLease() ? stored.hold() : 0);
	}

	/**
	 * Returns whether the records of this run and of another one have the same beginning.
	 */
	boolean isLike(PlainRun other) {
		return this.begin == other.begin || Arrays.equals(this.begin, other.begin);
	}

	/**
	 * Returns whether this run and another one have the same queue and minimum hold.
	 */
	boolean isOfSameQueue(PlainRun other) {
		return this.hold == other.hold && this.queue.equals(other.queue);
	}

	/**
	 * Returns the duration of the run.
	 * @param now the time of its end, in ms by the clock of Redis
	 */
	public Duration lasted(long now) {
		return Duration.ofMillis(Math.max(now - this.startedAt, 0));
	}

}
