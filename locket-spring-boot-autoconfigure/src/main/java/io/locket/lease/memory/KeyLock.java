package io.locket.lease.memory;

import java.time.Duration;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * A lock, or the claim, of a key in a {@link LockSpace}. Immutable. Times are
 * milliseconds of the space.
 *
 * @param owner the token of the owner
 * @param job the id of the queued job whose run took it, or {@code null}
 * @param key the key, or {@code null} if the holder left no record
 * @param holder who took it
 * @param takenAt when it was taken
 * @param expiresAt when it expires, unless somebody keeps it
 * @param keptFor for how long from now it holds at any time, since somebody who lives
 * keeps it, or {@code null} if nobody does
 */
public record KeyLock(String owner, @Nullable String job, @Nullable JobKey key, LeaseHolder holder, long takenAt,
		long expiresAt, @Nullable Duration keptFor) {

	/**
	 * Return a lock that nobody keeps.
	 * @param owner the token of the owner
	 * @param job the id of the queued job whose run takes it, or {@code null}
	 * @param key the key, or {@code null} if the holder leaves no record
	 * @param holder who takes it
	 * @param takenAt when it is taken
	 * @param expiresAt when it expires
	 * @return the lock
	 */
	public static KeyLock expiring(String owner, @Nullable String job, @Nullable JobKey key, LeaseHolder holder,
			long takenAt, long expiresAt) {
		return new KeyLock(owner, job, key, holder, takenAt, expiresAt, null);
	}

	/**
	 * Return the same lock with another end.
	 * @param time when it expires
	 * @return the lock
	 */
	public KeyLock until(long time) {
		return new KeyLock(this.owner, this.job, this.key, this.holder, this.takenAt, time, null);
	}

	/**
	 * Return what is left of a minimum hold after the release.
	 * @param time when it ends
	 * @return the lock, which has no owner any more
	 */
	public KeyLock restUntil(long time) {
		return new KeyLock(this.owner + ":rest", this.job, this.key, this.holder, this.takenAt, time, null);
	}

	KeyLock asOf(long now) {
		return (this.keptFor != null) ? new KeyLock(this.owner, this.job, this.key, this.holder, this.takenAt,
				now + this.keptFor.toMillis(), this.keptFor) : this;
	}

	HeldLease describe(String digest, long now) {
		Duration remaining = Duration.ofMillis(this.expiresAt - now);
		if (this.key == null) {
			return new HeldLease(digest, null, null, this.holder, null, remaining);
		}
		return new HeldLease(digest, this.key.job(), this.key.text(), this.holder,
				Duration.ofMillis(Math.max(0, now - this.takenAt)), remaining);
	}

}
