package io.locket.lease;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the scripts took: its token is the key's value.
 */
final class RedisLease extends LiveLease {

	private final String token;

	private final long holdUntil;

	private final RedisLeaseService service;

	RedisLease(JobKey key, Duration duration, Instant since, long fencingToken, long sentAt, Context context,
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
	 * Until when the key stays taken at least, in ms by the clock of Redis; {@code 0} for
	 * no longer than the lease.
	 */
	long holdUntil() {
		return this.holdUntil;
	}

	@Override
	@Nullable LeaseLossCause giveBack() {
		return this.service.giveBack(this);
	}

	@Override
	void giveBackLater() {
		this.service.giveBackLater(this);
	}

}
