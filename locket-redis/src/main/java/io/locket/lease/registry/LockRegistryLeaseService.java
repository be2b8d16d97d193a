package io.locket.lease.registry;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.LeaseRefusedException;
import io.locket.LeaseUnavailableException;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseUnavailable;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.LiveLease;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.util.Assert;

/**
 * Lease service on the application's own {@link LockRegistry}, of any kind. A lock has
 * some limits: only the thread that took it releases it, there is no fence, no claim and
 * no minimum hold, and only this process's holders can be listed.
 */
public final class LockRegistryLeaseService implements LeaseService, AutoCloseable {

	private static final int RETRIES = 8;

	/**
	 * Duration of a lock without a time to live.
	 */
	static final Duration ENDLESS = Duration.ofDays(3650);

	private final RegistryLocks locks;

	private final RegistryRenewals renewals;

	private final @Nullable LockProbe probe;

	private final LeaseSettings settings;

	private final JobKeys jobKeys;

	private final JobEventPublisher events;

	private final Clock clock;

	private final LongSupplier nanoTime;

	private final LiveLease.Context context;

	private final LeaseClosing closing;

	private final @Nullable LateLockReleaser late;

	private final Map<String, RegistryLease> held = new ConcurrentHashMap<>();

	/**
	 * Creates a service.
	 * @param registry the application's registry
	 * @param probe the probe for the locks of the registry in Redis, or {@code null} if
	 * the registry has another store. The service becomes a user of its connections
	 * @param settings the settings
	 * @param jobKeys the factory of keys
	 * @param heartbeat the heartbeat that renews the leases
	 * @param threads the threads, of which it becomes a user
	 * @param events the publisher of the events
	 * @param clock the clock for the start of the leases
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public LockRegistryLeaseService(LockRegistry<?> registry, @Nullable LockProbe probe, LeaseSettings settings,
			JobKeys jobKeys, LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events, Clock clock,
			LongSupplier nanoTime) {
		this.locks = new RegistryLocks(registry);
		this.renewals = new RegistryRenewals(registry, threads.registry());
		this.probe = probe;
		this.settings = settings;
		this.jobKeys = jobKeys;
		this.events = events;
		this.clock = clock;
		this.nanoTime = nanoTime;
		threads.retain();
		this.closing = new LeaseClosing((probe != null) ? probe.retain(threads::release) : threads::release);
		this.late = (probe != null) ? new LateLockReleaser(registry, probe, this.held::containsKey, threads.cleanup(),
				this.closing, nanoTime) : null;
		this.context = new LiveLease.Context(heartbeat, events, threads.losses(), nanoTime, this.closing,
				this.renewals);
	}

	@Override
	public boolean isThreadBound() {
		return true;
	}

	@Override
	public JobKey keyOf(String name, @Nullable Object... key) {
		return this.jobKeys.keyOfParts(name, key, this.settings.mask());
	}

	@Override
	public CompletableFuture<LeaseAttempt> attemptAsync(LeaseRequest request) {
		throw new UnsupportedOperationException(
				"A LockRegistry has no asynchronous waits. Use attempt(...), or the store 'redis'");
	}

	@Override
	public LeaseAttempt attempt(LeaseRequest request) {
		Objects.requireNonNull(request, "'request' must not be null");
		if (!request.holdAtLeast().isZero()) {
			throw unsupported("a minimum hold");
		}
		JobKey key = request.key();
		try {
			LeaseAttempt attempt = attempt(key, this.settings.durationOf(request), request.waitTime());
			if (attempt instanceof LeaseAttempt.Refused refused) {
				this.events.publish(new LeaseConflicted(key, refused.holder()));
			}
			else {
				this.events.publish(new LeaseAcquired(key, 0, false));
			}
			return attempt;
		}
		catch (LeaseUnavailableException ex) {
			this.events.publish(new LeaseUnavailable(key, Objects.toString(ex.getMessage(), "")));
			throw ex;
		}
	}

	/**
	 * Retries a refusal while the key is free in the store, because the registry shares
	 * its local locks among several keys.
	 */
	private LeaseAttempt attempt(JobKey key, Duration duration, Duration wait) {
		LeaseAttempt attempt = tryLock(key, duration, wait);
		for (int retry = 0; attempt instanceof LeaseAttempt.Refused && isFree(key); retry++) {
			if (retry == RETRIES) {
				throw new LeaseRefusedException("The lock registry refuses the lock of " + key
						+ " although it is free in Redis. The registry shares local locks among keys by their hash. Raise its cache"
						+ " capacity, or use locket.lease.store=redis");
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1L << retry));
			attempt = tryLock(key, duration, Duration.ZERO);
		}
		return attempt;
	}

	private boolean isFree(JobKey key) {
		return this.probe != null && !Thread.currentThread().isInterrupted() && !this.held.containsKey(key.digest())
				&& call(key, () -> this.probe.isSameSpace() && this.probe.find(key) == null);
	}

	private LeaseAttempt tryLock(JobKey key, Duration duration, Duration wait) {
		RegistryLease mine = this.held.get(key.digest());
		if (mine != null && (wait.isZero() || mine.isOwnThread())) {
			return refused(key);
		}
		this.closing.attemptBegins();
		RegistryLease lease = null;
		try {
			RegistryLease granted = call(key, () -> lock(key, duration, wait));
			if (granted == null) {
				return refused(key);
			}
			if (this.closing.isClosed()) {
				granted.releaseInStore();
				throw LeaseClosing.refusal(null);
			}
			begin(granted);
			lease = granted;
			return new LeaseAttempt.Acquired(lease);
		}
		finally {
			this.closing.attemptEnds(lease != null);
		}
	}

	private void begin(RegistryLease lease) {
		this.held.put(lease.key().digest(), lease);
		try {
			this.context.heartbeat().add(lease);
		}
		catch (RuntimeException | Error ex) {
			lease.releaseInStore();
			throw ex;
		}
	}

	private @Nullable RegistryLease lock(JobKey key, Duration duration, Duration wait) {
		long sentAt = this.nanoTime.getAsLong();
		Lock lock = this.locks.obtain(key);
		try {
			if (!RegistryLocks.tryLock(lock, duration, wait)) {
				return null;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
		catch (RuntimeException ex) {
			if (this.late != null) {
				this.late.add(key);
			}
			if (!wait.isZero() && NestedExceptionUtils.getMostSpecificCause(ex) instanceof InterruptedException) {
				// A RedisLockRegistry does not set the flag.
				Thread.currentThread().interrupt();
				return null;
			}
			throw ex;
		}
		long grantSentAt = wait.isZero() ? sentAt : grantSentAt(sentAt);
		RegistryLease lease = new RegistryLease(key, (lock instanceof DistributedLock) ? duration : ENDLESS,
				this.clock.instant(), grantSentAt, this.context, lock,
				(ended) -> this.held.remove(key.digest(), ended));
		if ((grantSentAt != sentAt && !this.renewals.confirm(lease, this.nanoTime)) || lease.isPastDeadline()) {
			if (!RegistryLocks.unlock(lock) && this.late != null) {
				this.late.add(key);
			}
			throw new IllegalStateException("its reply came too late");
		}
		return lease;
	}

	/**
	 * Returns the earliest time at which the command of a grant can have been sent. At
	 * the end of a wait this is at most a command timeout ago, if the registry has the
	 * same timeout.
	 */
	private long grantSentAt(long sentAt) {
		return Math.max(sentAt, this.nanoTime.getAsLong() - this.settings.commandTimeout().toNanos());
	}

	/**
	 * Calls the registry or Redis and converts their failures.
	 */
	private static <T extends @Nullable Object> T call(JobKey key, Supplier<T> command) {
		try {
			return command.get();
		}
		catch (LeaseRefusedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new LeaseUnavailableException("The lock registry gave no reply for the lock of " + key + ": " + ex,
					ex);
		}
	}

	private LeaseAttempt refused(JobKey key) {
		RegistryLease mine = this.held.get(key.digest());
		if (mine != null) {
			return new LeaseAttempt.Refused(holder(mine), remaining(mine));
		}
		HeldLease other = (this.probe != null && !Thread.currentThread().isInterrupted())
				? call(key, () -> this.probe.find(key)) : null;
		return (other != null) ? new LeaseAttempt.Refused(other.holder(), other.remaining())
				: new LeaseAttempt.Refused(LeaseHolder.foreign(), null);
	}

	private LeaseHolder holder(RegistryLease lease) {
		return new LeaseHolder(this.settings.instance(), lease.thread(), lease.since(), 0);
	}

	@Override
	public LeaseAttempt claim(JobKey key, Duration period) {
		throw unsupported("claims (UNTIL_EXPIRED)");
	}

	@Override
	public Optional<HeldLease> findClaim(JobKey key) {
		throw unsupported("claims (UNTIL_EXPIRED)");
	}

	@Override
	public Optional<HeldLease> find(JobKey key) {
		Objects.requireNonNull(key, "'key' must not be null");
		RegistryLease mine = this.held.get(key.digest());
		if (mine != null) {
			return Optional.of(describe(mine));
		}
		if (this.probe == null || !call(key, this.probe::isSameSpace)) {
			throw unsupported("queries for locks of other processes");
		}
		return Optional.ofNullable(call(key, () -> this.probe.find(key)));
	}

	@Override
	public List<HeldLease> held(int limit) {
		Assert.isTrue(limit >= 0, () -> "'limit' must not be negative: " + limit);
		return this.held.values().stream().limit(limit).map(this::describe).toList();
	}

	private HeldLease describe(RegistryLease lease) {
		Duration age = Duration.between(lease.since(), this.clock.instant());
		return new HeldLease(lease.key().digest(), lease.key().job(), lease.key().text(), holder(lease), age,
				remaining(lease), LeaseKind.ofJob(lease.key().job()));
	}

	private static @Nullable Duration remaining(RegistryLease lease) {
		return (lease.duration() != ENDLESS) ? lease.remaining() : null;
	}

	@Override
	public Optional<HeldLease> forceRelease(String digest) {
		throw unsupported("a forced release");
	}

	private static UnsupportedOperationException unsupported(String what) {
		return new UnsupportedOperationException(
				"locket.lease.store=lock-registry does not support " + what + "; the store 'redis' does");
	}

	/**
	 * Closes the service for new leases. The heartbeat stays alive, as a daemon, until
	 * the last lease has been released.
	 */
	@Override
	public void close() {
		this.closing.close();
	}

}
