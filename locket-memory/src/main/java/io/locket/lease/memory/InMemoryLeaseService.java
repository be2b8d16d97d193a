package io.locket.lease.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import io.locket.LeaseRefusedException;
import io.locket.event.JobEvent;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseForced;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.ClaimLease;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Lease service in the memory of one process, for tests. It behaves like the leases in
 * Redis but cannot fail. A holder counts as alive until it closes its lease, so time
 * alone never ends a lease. A lost lease is reported at once, on the thread that took it
 * away.
 */
public final class InMemoryLeaseService implements LeaseService, AutoCloseable {

	private static final Log logger = LogFactory.getLog(InMemoryLeaseService.class);

	private final LockSpace space;

	private final LeaseSettings settings;

	private final JobKeys jobKeys;

	private final JobEventPublisher events;

	private final LongSupplier nanoTime;

	private final Map<String, MemoryLease> held = new ConcurrentHashMap<>();

	private final MemoryWaits waits;

	private volatile boolean closed;

	/**
	 * Creates a service.
	 * @param space the lock space
	 * @param settings the settings
	 * @param jobKeys the factory of keys
	 * @param events the publisher of the events
	 * @param nanoTime the monotonic clock that bounds waits, in nanoseconds; a wait also
	 * ends when the clock of the space has advanced as far
	 */
	public InMemoryLeaseService(LockSpace space, LeaseSettings settings, JobKeys jobKeys, JobEventPublisher events,
			LongSupplier nanoTime) {
		this.space = space;
		this.settings = settings;
		this.jobKeys = jobKeys;
		this.events = events;
		this.nanoTime = nanoTime;
		this.waits = new MemoryWaits(space, nanoTime);
		space.onLoss(this::lost);
	}

	@Override
	public JobKey keyOf(String name, @Nullable Object... key) {
		return this.jobKeys.keyOfParts(name, key, this.settings.mask());
	}

	@Override
	public LeaseAttempt attempt(LeaseRequest request) {
		Duration duration = this.settings.durationOf(request);
		LeaseAttempt attempt = this.space.atomically(() -> acquire(request, duration));
		if (attempt instanceof LeaseAttempt.Refused refused && !request.waitTime().isZero()) {
			attempt = await(request, duration, refused);
		}
		return published(request, attempt);
	}

	@Override
	public CompletableFuture<LeaseAttempt> attemptAsync(LeaseRequest request) {
		Duration duration;
		LeaseAttempt attempt;
		try {
			duration = this.settings.durationOf(request);
			attempt = this.space.atomically(() -> acquire(request, duration));
		}
		catch (IllegalArgumentException | LeaseRefusedException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		if (attempt instanceof LeaseAttempt.Refused refused) {
			return request.waitTime().isZero() ? CompletableFuture.completedFuture(published(request, refused))
					: this.waits.add(() -> acquired(request, duration),
							() -> published(request, refused(request.key(), refused)), request.waitTime());
		}
		return CompletableFuture.completedFuture(attempt);
	}

	/**
	 * Makes an attempt of a wait, inside a step.
	 * @throws LeaseRefusedException if the service is closed
	 */
	private LeaseAttempt.@Nullable Acquired acquired(LeaseRequest request, Duration duration) {
		return (acquire(request, duration) instanceof LeaseAttempt.Acquired granted) ? granted : null;
	}

	private LeaseAttempt published(LeaseRequest request, LeaseAttempt attempt) {
		if (attempt instanceof LeaseAttempt.Refused refused) {
			publish(new LeaseConflicted(request.key(), refused.holder()));
		}
		return attempt;
	}

	private LeaseAttempt await(LeaseRequest request, Duration duration, LeaseAttempt.Refused refused) {
		try {
			LeaseAttempt.Acquired acquired = this.space.await(() -> acquired(request, duration), request.waitTime(),
					this.nanoTime);
			return (acquired != null) ? acquired : refused(request.key(), refused);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return refused;
		}
	}

	private LeaseAttempt refused(JobKey key, LeaseAttempt.Refused earlier) {
		KeyLock lock = this.space.atomically(() -> this.space.lock(key.digest()));
		return (lock != null) ? refused(lock) : earlier;
	}

	/**
	 * Makes an attempt, inside a step.
	 * @throws LeaseRefusedException if the service is closed
	 */
	private LeaseAttempt acquire(LeaseRequest request, Duration duration) {
		requireOpen();
		JobKey key = request.key();
		KeyLock other = this.space.lock(key.digest());
		if (other != null) {
			return refused(other);
		}
		long now = this.space.now();
		KeyLock lock = lock(key, now, now + duration.toMillis(), duration);
		long heldUntil = request.holdAtLeast().isZero() ? now : now + request.holdAtLeast().toMillis();
		MemoryLease lease = new MemoryLease(this, key, lock, duration, heldUntil);
		this.space.put(key.digest(), lock);
		this.held.put(lock.owner(), lease);
		this.space.afterwards(() -> publish(new LeaseAcquired(key, lease.fencingToken(), false)));
		return new LeaseAttempt.Acquired(lease);
	}

	private KeyLock lock(JobKey key, long now, long expiresAt, @Nullable Duration keptFor) {
		LeaseHolder holder = new LeaseHolder(this.settings.instance(), Thread.currentThread().getName(),
				Instant.ofEpochMilli(now), this.space.nextFence());
		return new KeyLock(UUID.randomUUID().toString(), null, key, holder, now, expiresAt, keptFor);
	}

	private LeaseAttempt.Refused refused(KeyLock lock) {
		return new LeaseAttempt.Refused(lock.holder(),
				Duration.ofMillis(Math.max(0, lock.expiresAt() - this.space.now())));
	}

	@Override
	public LeaseAttempt claim(JobKey key, Duration period) {
		Objects.requireNonNull(key, "'key' must not be null");
		LeaseRequest.requireBounded(period, "A period");
		LeaseAttempt attempt = this.space.atomically(() -> {
			requireOpen();
			KeyLock other = this.space.claim(key.digest());
			if (other != null) {
				return refused(other);
			}
			long now = this.space.now();
			KeyLock claim = lock(key, now, now + period.toMillis(), null);
			this.space.putClaim(key.digest(), claim);
			return new LeaseAttempt.Acquired(
					new ClaimLease(key, claim.holder().fencingToken(), Instant.ofEpochMilli(claim.takenAt()),
							() -> Duration.ofMillis(claim.expiresAt() - this.space.atomically(this.space::now)),
							() -> releaseClaim(key, claim)));
		});
		publish((attempt instanceof LeaseAttempt.Acquired acquired)
				? new LeaseAcquired(key, acquired.lease().fencingToken(), true)
				: new LeaseConflicted(key, ((LeaseAttempt.Refused) attempt).holder(), LeaseKind.CLAIM));
		return attempt;
	}

	private void releaseClaim(JobKey key, KeyLock claim) {
		this.space.atomically(() -> {
			KeyLock current = this.space.claim(key.digest());
			if (current != null && current.owner().equals(claim.owner())) {
				this.space.dropClaim(key.digest());
			}
			return null;
		});
	}

	@Override
	public Optional<HeldLease> find(JobKey key) {
		Objects.requireNonNull(key, "'key' must not be null");
		return find(key.digest());
	}

	private Optional<HeldLease> find(String digest) {
		return this.space.atomically(() -> Optional.ofNullable(this.space.lock(digest))
			.map((lock) -> lock.describe(digest, this.space.now())));
	}

	@Override
	public Optional<HeldLease> findClaim(JobKey key) {
		Objects.requireNonNull(key, "'key' must not be null");
		return this.space.atomically(() -> Optional.ofNullable(this.space.claim(key.digest()))
			.map((claim) -> claim.describe(key.digest(), this.space.now(), LeaseKind.CLAIM)));
	}

	@Override
	public List<HeldLease> held(int limit) {
		Assert.isTrue(limit >= 0, () -> "'limit' must not be negative: " + limit);
		return list((lock) -> true, limit);
	}

	/**
	 * Returns the held leases that have an owner, without the rests of minimum holds.
	 * @return the leases of the lock space, those that expire first in front
	 */
	public List<HeldLease> owned() {
		return list((lock) -> !lock.isRest(), Integer.MAX_VALUE);
	}

	private List<HeldLease> list(Predicate<KeyLock> locks, int limit) {
		return this.space.atomically(() -> this.space.locks()
			.stream()
			.filter((entry) -> locks.test(entry.getValue()))
			.limit(limit)
			.map((entry) -> entry.getValue().describe(entry.getKey(), this.space.now()))
			.toList());
	}

	@Override
	public Optional<HeldLease> forceRelease(String digest) {
		Objects.requireNonNull(digest, "'digest' must not be null");
		Optional<HeldLease> evicted = this.space.atomically(() -> {
			Optional<HeldLease> lease = find(digest);
			if (lease.isPresent()) {
				this.space.nextFence();
				this.space.evict(digest);
				return lease;
			}
			Optional<HeldLease> claim = findClaim(new JobKey("", digest, ""));
			if (claim.isPresent()) {
				this.space.nextFence();
				this.space.dropClaim(digest);
			}
			return claim;
		});
		evicted.ifPresent((lease) -> {
			logger.warn("Released by force: the lease of " + lease.jobKey() + ", held by " + lease.holder()
					+ ". Its body may still run. Make sure that it does no harm");
			publish(new LeaseForced(lease.jobKey(), lease.holder(), lease.kind()));
		});
		return evicted;
	}

	private void requireOpen() {
		if (this.closed) {
			throw new LeaseRefusedException("The application context is closed. Leases can no longer be taken");
		}
	}

	private void lost(KeyLock lock, LeaseLossCause cause) {
		MemoryLease lease = this.held.remove(lock.owner());
		if (lease != null) {
			lease.lose(cause);
		}
	}

	/**
	 * Releases a lease.
	 * @return the time for which it was held, or {@code null} if it had just been lost
	 */
	@Nullable Duration release(MemoryLease lease) {
		KeyLock lock = lease.lock();
		return this.space.atomically(() -> {
			this.held.remove(lock.owner());
			// The clock may have been put back since the lease was taken.
			long longest = this.space.now() + lease.heldUntil() - lock.takenAt();
			boolean held = this.space.release(lease.key().digest(), lock.owner(), Math.min(lease.heldUntil(), longest));
			return held ? Duration.ofMillis(Math.max(0, this.space.now() - lock.takenAt())) : null;
		});
	}

	void publish(JobEvent event) {
		this.events.publish(event);
	}

	/**
	 * Closes the service for new leases. Waits fail with a {@link LeaseRefusedException}.
	 * Held leases stay.
	 */
	@Override
	public void close() {
		this.space.atomically(() -> this.closed = true);
	}

}
