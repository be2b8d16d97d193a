package io.locket.lease.redis;

import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.LeaseUnavailableException;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.ClaimLease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.redis.PendingReleases.PendingRelease;

/**
 * Claims of keys for a period. A claim is not renewed, and ends with its period unless it
 * is released earlier. Thread-safe.
 */
final class RedisClaims {

	/**
	 * Duration of a claim before its caller has received it, in command timeouts.
	 */
	private static final int CLAIM_TIMEOUTS = 5;

	private final LeaseScripts scripts;

	private final RedisGrants grants;

	private final LeaseKeys keys;

	private final Duration unconfirmed;

	private final LeaseClosing closing;

	private final JobEventPublisher events;

	private final LongSupplier nanoTime;

	RedisClaims(LeaseScripts scripts, RedisGrants grants, LeaseKeys keys, Duration commandTimeout, LeaseClosing closing,
			JobEventPublisher events, LongSupplier nanoTime) {
		this.scripts = scripts;
		this.grants = grants;
		this.keys = keys;
		this.unconfirmed = commandTimeout.multipliedBy(CLAIM_TIMEOUTS);
		this.closing = closing;
		this.events = events;
		this.nanoTime = nanoTime;
	}

	LeaseAttempt claim(JobKey key, Duration period) {
		AttemptReports reports = new AttemptReports(key, LeaseKind.CLAIM, this.events);
		try {
			return reports.publish(attempt(key, period));
		}
		catch (LeaseUnavailableException ex) {
			throw reports.failed(ex);
		}
	}

	private LeaseAttempt attempt(JobKey key, Duration period) {
		this.closing.attemptBegins();
		try {
			return request(key, period);
		}
		finally {
			this.closing.attemptEnds(false);
		}
	}

	private LeaseAttempt request(JobKey key, Duration period) {
		String token = UUID.randomUUID().toString();
		PendingRelease pending = PendingRelease.of(this.keys.claim(key.digest()), token, "");
		long endsAt = this.nanoTime.getAsLong() + period.toNanos();
		Supplier<Duration> remaining = () -> Duration.ofNanos(endsAt - this.nanoTime.getAsLong());
		Duration first = (this.unconfirmed.compareTo(period) < 0) ? this.unconfirmed : period;
		Grant grant = this.grants.request(key, pending, first,
				() -> this.scripts.claim(key, token, first, this.grants.holder(key)));
		if (!grant.granted()) {
			return grant.refusal();
		}
		this.grants.complete(key, pending, period, (claim) -> {
			confirm(key, claim, period);
			this.grants.replicate(claim);
		});
		if (remaining.get().toNanos() <= 0) {
			throw new LeaseUnavailableException("The reply for the claim of " + key + " came too late", null);
		}
		return new LeaseAttempt.Acquired(new ClaimLease(key, grant.fence(), grant.since(), remaining,
				() -> this.grants.releaseLater(pending, period)));
	}

	/**
	 * Extends a claim that the caller has received to its whole period. A claim whose
	 * reply never came ends soon instead.
	 */
	private void confirm(JobKey key, PendingRelease claim, Duration period) {
		if (!this.scripts.confirmClaim(key, claim.token(), period)) {
			throw new IllegalStateException("The reply for the claim came too late");
		}
	}

}
