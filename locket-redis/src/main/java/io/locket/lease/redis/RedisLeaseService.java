package io.locket.lease.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import io.locket.LeaseUnavailableException;
import io.locket.event.LeaseForced;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.LiveLease;
import io.locket.lease.redis.LeaseScripts.Waiting;
import io.locket.lease.redis.PendingReleases.PendingRelease;
import io.locket.redis.RedisConnections;
import io.locket.redis.RedisFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Lease service on Redis, in the lock space of a {@code RedisLockRegistry}: the key of
 * the lock, the owner's token as its value, and an expiry. Thread-safe.
 */
public final class RedisLeaseService implements LeaseService, AutoCloseable {

	private static final Log logger = LogFactory.getLog(RedisLeaseService.class);

	private final LeaseKeys keys;

	private final LeaseSettings settings;

	private final JobKeys jobKeys;

	private final JobEventPublisher events;

	private final LongSupplier nanoTime;

	private final LeaseScripts scripts;

	private final LeaseWait waiting;

	private final AsyncLeaseWait asyncWaiting;

	private final PendingReleases pendingReleases;

	private final RedisGrants grants;

	private final RedisClaims claims;

	private final LiveLease.Context context;

	private final LeaseListing listing;

	private final LeaseClosing closing;

	/**
	 * Creates a service.
	 * @param connections the connections, of which it becomes a user
	 * @param keys the names in Redis
	 * @param settings the settings
	 * @param jobKeys the factory of keys
	 * @param heartbeat the heartbeat that renews the leases
	 * @param threads the threads, of which it becomes a user
	 * @param events the publisher of the events
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public RedisLeaseService(RedisConnections connections, LeaseKeys keys, LeaseSettings settings, JobKeys jobKeys,
			LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events, LongSupplier nanoTime) {
		this.keys = keys;
		this.settings = settings;
		this.jobKeys = jobKeys;
		this.events = events;
		this.nanoTime = nanoTime;
		connections.retain();
		threads.retain();
		this.scripts = new LeaseScripts(connections.shared(), keys, settings.commandTimeout());
		LeaseWakeups wakeups = new LeaseWakeups(connections.shared(), keys.channels());
		this.waiting = new LeaseWait(wakeups, nanoTime);
		this.asyncWaiting = new AsyncLeaseWait(wakeups, threads.watch(), threads.retries(), threads.notifier(),
				nanoTime);
		ReplicaConfirmations replicas = (settings.waitReplicas() > 0)
				? new ReplicaConfirmations(connections.forReplicaWaits(), keys, settings.waitReplicas(),
						settings.commandTimeout(), nanoTime)
				: null;
		this.closing = new LeaseClosing(() -> {
			// Callers that wait are refused before the connections are closed.
			this.waiting.close();
			threads.release();
			try {
				wakeups.close();
				if (replicas != null) {
					replicas.close();
				}
			}
			finally {
				connections.close();
			}
		});
		this.pendingReleases = new PendingReleases(this.scripts, threads.cleanup(), this.closing, nanoTime);
		this.grants = new RedisGrants(this.pendingReleases, replicas, settings.instance());
		this.claims = new RedisClaims(this.scripts, this.grants, keys, settings.commandTimeout(), this.closing, events,
				nanoTime);
		this.context = new LiveLease.Context(heartbeat, events, threads.losses(), nanoTime, this.closing,
				new LeaseRenewals(this.scripts));
		this.listing = new LeaseListing(this.scripts, heartbeat);
	}

	@Override
	public JobKey keyOf(String name, @Nullable Object... key) {
		return this.jobKeys.keyOfParts(name, key, this.settings.mask());
	}

	@Override
	public LeaseAttempt attempt(LeaseRequest request) {
		Duration duration = this.settings.durationOf(request);
		try {
			LeaseAttempt attempt = attempt(request, duration, false);
			if (attempt instanceof LeaseAttempt.Refused && !request.waitTime().isZero()) {
				attempt = this.waiting.await(this.keys.lock(request.key().digest()), request,
						(others) -> attempt(request, duration, others));
			}
			return reports(request.key()).publish(attempt);
		}
		catch (LeaseUnavailableException ex) {
			throw reports(request.key()).failed(ex);
		}
	}

	@Override
	public CompletableFuture<LeaseAttempt> attemptAsync(LeaseRequest request) {
		Duration duration;
		try {
			duration = this.settings.durationOf(request);
		}
		catch (IllegalArgumentException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		JobKey key = request.key();
		return this.asyncWaiting.await(this.keys.lock(key.digest()), request,
				(others) -> attempt(request, duration, others), reports(key));
	}

	private AttemptReports reports(JobKey key) {
		return new AttemptReports(key, LeaseKind.ofJob(key.job()), this.events);
	}

	private LeaseAttempt attempt(LeaseRequest request, Duration duration, boolean beforeOthers) {
		JobKey key = request.key();
		String token = UUID.randomUUID().toString();
		PendingRelease pending = PendingRelease.of(this.keys.lock(key.digest()), token, key.digest());
		long sentAt = this.nanoTime.getAsLong();
		this.closing.attemptBegins();
		RedisLease lease = null;
		try {
			Grant grant = this.grants.request(key, pending, duration, () -> this.scripts.acquire(key, token, duration,
					this.grants.holder(key), waiting(request, beforeOthers)));
			if (!grant.granted()) {
				return grant.refusal();
			}
			this.grants.complete(key, pending, duration, this.grants::replicate);
			RedisLease granted = new RedisLease(key, duration, grant.since(), grant.fence(), sentAt, this.context,
					token, request.holdAtLeast(), this);
			if (granted.isPastDeadline() && !renewInTime(granted)) {
				releaseUnused(granted);
				throw new LeaseUnavailableException("The reply for the lease of " + key + " came too late", null);
			}
			startRenewal(granted);
			lease = granted;
			return new LeaseAttempt.Acquired(lease);
		}
		finally {
			this.closing.attemptEnds(lease != null);
		}
	}

	private void startRenewal(RedisLease granted) {
		try {
			this.context.heartbeat().add(granted);
		}
		catch (RuntimeException | Error ex) {
			releaseUnused(granted);
			throw ex;
		}
	}

	/**
	 * Releases a lease that no body has used, so that its minimum hold does not apply.
	 */
	private void releaseUnused(RedisLease granted) {
		this.pendingReleases.add(new PendingRelease(this.keys.lock(granted.key().digest()), granted.token(),
				granted.key().digest(), 0, 0, granted.isListed()), granted.duration(), false);
	}

	private static Waiting waiting(LeaseRequest request, boolean beforeOthers) {
		if (request.waitTime().isZero()) {
			return Waiting.NONE;
		}
		return beforeOthers ? Waiting.BEFORE_OTHERS : Waiting.ALONE;
	}

	/**
	 * Renews a lease whose grant came late. The first command of a process waits for its
	 * connection, and no body may start after its local deadline.
	 * @return whether it was renewed before its local deadline
	 */
	private boolean renewInTime(RedisLease lease) {
		long sentAt = this.nanoTime.getAsLong();
		try {
			if (this.scripts.renew(List.of(lease)).get(0) != Renewal.RENEWED) {
				return false;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Could not renew " + lease + ", which was granted late", ex);
			return false;
		}
		lease.confirm(sentAt);
		return !lease.isPastDeadline();
	}

	@Override
	public LeaseAttempt claim(JobKey key, Duration period) {
		Objects.requireNonNull(key, "'key' must not be null");
		LeaseRequest.requireBounded(period, "A period");
		return this.claims.claim(key, period);
	}

	@Nullable LeaseLossCause release(RedisLease lease) {
		if (this.pendingReleases.isHanging()) {
			return releaseInBackground(lease);
		}
		long sentAt = this.nanoTime.getAsLong();
		try {
			return switch (this.scripts.release(pending(lease))) {
				case RELEASED -> null;
				case TAKEN -> LeaseLossCause.TAKEN;
				case GONE -> LeaseLossCause.GONE;
			};
		}
		catch (RuntimeException ex) {
			logger.warn("Redis did not confirm the release of " + lease
					+ ". The release is retried in the background and the lease is not renewed. Check Redis: "
					+ RedisFailure.of(ex).cause());
			this.pendingReleases.failed(sentAt);
			return releaseInBackground(lease);
		}
		catch (Error ex) {
			releaseLater(lease);
			throw ex;
		}
	}

	private @Nullable LeaseLossCause releaseInBackground(RedisLease lease) {
		releaseLater(lease);
		return lease.isPastDeadline() ? LeaseLossCause.UNREACHABLE : null;
	}

	void releaseLater(RedisLease lease) {
		this.pendingReleases.add(pending(lease), lease.duration(), false);
	}

	private PendingRelease pending(RedisLease lease) {
		return new PendingRelease(this.keys.lock(lease.key().digest()), lease.token(), lease.key().digest(),
				lease.holdUntil(), lease.holdFor(), lease.isListed());
	}

	@Override
	public Optional<HeldLease> find(JobKey key) {
		Objects.requireNonNull(key, "'key' must not be null");
		return call("show leases", () -> this.scripts.find(List.of(key.digest())).stream().findFirst());
	}

	@Override
	public List<HeldLease> findAll(Collection<JobKey> keys) {
		List<String> digests = keys.stream().map(JobKey::digest).toList();
		return digests.isEmpty() ? List.of() : call("show leases", () -> this.scripts.find(digests));
	}

	@Override
	public Optional<HeldLease> findClaim(JobKey key) {
		Objects.requireNonNull(key, "'key' must not be null");
		return call("show claims", () -> this.scripts.findClaim(key.digest()).stream().findFirst());
	}

	@Override
	public List<HeldLease> held(int limit) {
		Assert.isTrue(limit >= 0, () -> "'limit' must not be negative: " + limit);
		return call("show leases", () -> this.listing.held(limit, (lease) -> lease.isOf(this)));
	}

	@Override
	public Optional<HeldLease> forceRelease(String digest) {
		Objects.requireNonNull(digest, "'digest' must not be null");
		HeldLease evicted = call("release the lease of " + digest + " by force",
				() -> this.scripts.forceRelease(digest));
		if (evicted != null) {
			logger.warn("Released by force: the lease of " + evicted.jobKey() + ", held by " + evicted.holder()
					+ ". Its body may still run. Make sure that it does no harm");
			this.events.publish(new LeaseForced(evicted.jobKey(), evicted.holder(), evicted.kind()));
		}
		return Optional.ofNullable(evicted);
	}

	private static <T extends @Nullable Object> T call(String what, Supplier<T> command) {
		try {
			return command.get();
		}
		catch (RuntimeException ex) {
			throw new LeaseUnavailableException(RedisFailure.of(ex).message(what), ex);
		}
	}

	/**
	 * Closes the service for new leases. Waits fail with a {@code LeaseRefusedException}.
	 * Heartbeat and connections stay alive, as daemons, until the last lease has been
	 * released.
	 */
	@Override
	public void close() {
		this.asyncWaiting.close();
		this.closing.close();
		this.waiting.close();
	}

}
