package io.locket.lease.memory;

import java.time.Duration;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * Lock or claim of a key in a {@link LockSpace}. Immutable. Times are milliseconds of the
 * space.
 *
 * @param owner the token of the owner
 * @param job the id of the queued job whose run took it, or {@code null}
 * @param key the key, or {@code null} if the holder left no record
 * @param holder the holder
 * @param takenAt the time at which it was taken
 * @param expiresAt the time at which it expires, unless a live holder keeps it
 * @param keptFor the time for which it holds from any moment, because a live holder keeps
 * it, or {@code null} if it expires
 */
public record KeyLock(String owner, @Nullable String job, @Nullable JobKey key, LeaseHolder holder, long takenAt,
		long expiresAt, @Nullable Duration keptFor) {

	private static final String REST = ":rest";

	/**
	 * Returns a lock that expires.
	 * @param owner the token of the owner
	 * @param job the id of the queued job whose run takes it, or {@code null}
	 * @param key the key, or {@code null} if the holder leaves no record
	 * @param holder the holder
	 * @param takenAt the time at which it is taken
	 * @param expiresAt the time at which it expires
	 * @return the lock
	 */
	public static KeyLock expiring(String owner, @Nullable String job, @Nullable JobKey key, LeaseHolder holder,
			long takenAt, long expiresAt) {
		return new KeyLock(owner, job, key, holder, takenAt, expiresAt, null);
	}

	/**
	 * Returns the same lock with another end.
	 * @param time the time at which it expires
	 * @return the lock
	 */
	public KeyLock until(long time) {
		return new KeyLock(this.owner, this.job, this.key, this.holder, this.takenAt, time, null);
	}

	/**
	 * Returns the rest of a minimum hold after the release.
	 * @param time the time at which it ends
	 * @return the lock, which has no owner any more
	 */
	public KeyLock restUntil(long time) {
		return new KeyLock(this.owner + REST, this.job, this.key, this.holder, this.takenAt, time, null);
	}

	/**
	 * Returns whether this is the rest of a minimum hold.
	 */
	boolean isRest() {
		return this.owner.endsWith(REST);
	}

	KeyLock asOf(long now) {
		return (this.keptFor != null) ? new KeyLock(this.owner, this.job, this.key, this.holder, this.takenAt,
				now + this.keptFor.toMillis(), this.keptFor) : this;
	}

	HeldLease describe(String digest, long now) {
		return describe(digest, now, (this.key != null) ? LeaseKind.ofJob(this.key.job()) : LeaseKind.FOREIGN);
	}

	HeldLease describe(String digest, long now, LeaseKind kind) {
		Duration remaining = Duration.ofMillis(this.expiresAt - now);
		if (this.key == null) {
			return new HeldLease(digest, null, null, this.holder, null, remaining, kind);
		}
		return new HeldLease(digest, this.key.job(), this.key.text(), this.holder,
				Duration.ofMillis(Math.max(0, now - this.takenAt)), remaining, kind);
	}

}
