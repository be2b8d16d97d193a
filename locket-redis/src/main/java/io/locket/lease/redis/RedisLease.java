package io.locket.lease.redis;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.lease.heartbeat.LiveLease;
import org.jspecify.annotations.Nullable;

/**
 * Lease in Redis: its token is the key's value.
 */
public final class RedisLease extends LiveLease {

	private final String token;

	private final long holdUntil;

	private final RedisLeaseService service;

	private volatile boolean listed;

	public RedisLease(JobKey key, Duration duration, Instant since, long fencingToken, long sentAt, Context context,
			String token, Duration holdAtLeast, RedisLeaseService service) {
		super(key, duration, since, fencingToken, sentAt, context);
		this.token = token;
		this.holdUntil = holdAtLeast.isZero() ? 0 : since.plus(holdAtLeast).toEpochMilli();
		this.service = service;
	}

	String token() {
		return this.token;
	}

	/**
	 * Returns the minimum hold of the key, in ms.
	 */
	long holdFor() {
		return Math.max(0, this.holdUntil - since().toEpochMilli());
	}

	/**
	 * Returns the end of the minimum hold, in ms by the clock of Redis, or {@code 0} for
	 * none.
	 */
	long holdUntil() {
		return this.holdUntil;
	}

	/**
	 * Records that a renewal is about to be sent, which lists this lease in the index.
	 */
	void markListed() {
		this.listed = true;
	}

	/**
	 * Returns whether the index may have an entry of this lease.
	 */
	boolean isListed() {
		return this.listed;
	}

	boolean isOf(RedisLeaseService service) {
		return this.service == service;
	}

	@Override
	protected @Nullable LeaseLossCause releaseInStore() {
		return this.service.release(this);
	}

	@Override
	protected void releaseInStoreLater() {
		this.service.releaseLater(this);
	}

}
