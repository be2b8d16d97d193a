package io.locket.lease;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * Service that takes leases and reports held ones. A lease excludes every other lease of
 * the same key: of direct calls, of queued runs, and of locks that any service takes
 * through a plain {@code LockRegistry} on the same registry key. Thread-safe.
 */
public interface LeaseService {

	/**
	 * Takes a lease without waiting, for the configured duration.
	 * @param name the name, which also tags meters: use few names, not one for each key
	 * @param key the parts of the key, written as canonical JSON
	 * @return the lease, or empty if the key is held
	 * @throws io.locket.JobKeyException if the parts cannot form a key
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.LeaseRefusedException as for {@link #attempt(LeaseRequest)}
	 */
	default Optional<Lease> tryAcquire(String name, @Nullable Object... key) {
		return tryAcquire(LeaseRequest.of(keyOf(name, key)));
	}

	/**
	 * Takes a lease.
	 * @param request key, duration, wait and minimum hold
	 * @return the lease, or empty if the key was held until the wait was over
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.LeaseRefusedException as for {@link #attempt(LeaseRequest)}
	 * @throws IllegalArgumentException as for {@link #attempt(LeaseRequest)}
	 * @throws UnsupportedOperationException as for {@link #attempt(LeaseRequest)}
	 */
	default Optional<Lease> tryAcquire(LeaseRequest request) {
		return (attempt(request) instanceof LeaseAttempt.Acquired acquired) ? Optional.of(acquired.lease())
				: Optional.empty();
	}

	/**
	 * Takes a lease, or returns the current holder. If the thread is interrupted while it
	 * waits, the wait ends and the interrupt flag is set.
	 * @param request key, duration, wait and minimum hold
	 * @return the lease or the refusal
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.LeaseRefusedException if the application context is closed, or a
	 * lock registry refuses a key that is free
	 * @throws IllegalArgumentException if the requested duration is shorter than three
	 * command timeouts
	 * @throws UnsupportedOperationException if the store does not support the minimum
	 * hold of the request
	 */
	LeaseAttempt attempt(LeaseRequest request);

	/**
	 * Attempts to take a lease as {@link #attempt(LeaseRequest)} does, and waits without
	 * a thread while the key is held.
	 * <p>
	 * The calling thread makes the first attempt, and blocks for one or two commands of
	 * the store. Later attempts run on threads of Locket. Dependents of the returned
	 * future run there too and must not block. A service that does not override this
	 * method waits on the calling thread.
	 * @param request key, duration, wait and minimum hold
	 * @return a future for the lease or the refusal, which fails with the exceptions of
	 * {@code attempt}. Its cancellation ends the wait; a lease that is granted at that
	 * moment is released
	 * @throws UnsupportedOperationException if the service has no asynchronous waits,
	 * because its leases are bound to threads
	 */
	default CompletableFuture<LeaseAttempt> attemptAsync(LeaseRequest request) {
		try {
			return CompletableFuture.completedFuture(attempt(request));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Claims a key once for a period that is not renewed. Releasing the claim does not
	 * end the period, but a {@linkplain #forceRelease forced release} does. Claims and
	 * leases of a key do not exclude one another.
	 * @param key the key
	 * @param period the period
	 * @return the claim, as a {@link ClaimLease} that lasts for the period and whose
	 * release does nothing, or the refusal
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.LeaseRefusedException if the application context is closed
	 * @throws IllegalArgumentException if the period is shorter than 1 ms or longer than
	 * 36500 days
	 * @throws UnsupportedOperationException if the store has no claims
	 */
	LeaseAttempt claim(JobKey key, Duration period);

	/**
	 * Creates the key of a name and its parts.
	 * @param name the name
	 * @param key the parts of the key
	 * @return the key
	 * @throws io.locket.JobKeyException if the parts cannot form a key
	 */
	JobKey keyOf(String name, @Nullable Object... key);

	/**
	 * Returns the lease of a key. Advisory: it takes and frees nothing, and the result
	 * may be out of date when it returns.
	 * @param key the key
	 * @return the held lease, or empty if the key is free
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the store cannot report holders
	 */
	Optional<HeldLease> find(JobKey key);

	/**
	 * Returns the leases of those keys that have one. Advisory, as {@link #find(JobKey)}.
	 * A store may need fewer calls than for each key alone.
	 * @param keys the keys, at most a few hundred
	 * @return the held leases, in the order of the keys
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the store cannot report holders
	 */
	default List<HeldLease> findAll(Collection<JobKey> keys) {
		return keys.stream().map(this::find).flatMap(Optional<HeldLease>::stream).toList();
	}

	/**
	 * Returns the claim of a key. Advisory: it takes and frees nothing, and the result
	 * may be out of date when it returns.
	 * @param key the key
	 * @return the claim, or empty if its period has passed or there was none
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the store has no claims
	 */
	Optional<HeldLease> findClaim(JobKey key);

	/**
	 * Returns whether a lease is bound to the thread that took it. Such a store, a plain
	 * {@code LockRegistry}, has no fence, no claims and no minimum hold either.
	 * @return {@code true} if only the thread that took a lease can release it
	 */
	default boolean isThreadBound() {
		return false;
	}

	/**
	 * Returns whether a key is free. Advisory: it takes and frees nothing, and the result
	 * may be out of date when it returns.
	 * @param key the key
	 * @return {@code true} if the key has no lease
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the store cannot report holders
	 */
	default boolean isAvailable(JobKey key) {
		return find(key).isEmpty();
	}

	/**
	 * Returns the leases that the fleet holds through Locket, in the order of their
	 * expiry. Holders of plain lock registries are not included.
	 * <p>
	 * A store may list a lease of another process up to two seconds after its grant.
	 * {@link #find(JobKey)} finds each lease at once.
	 * @param limit the maximum number of leases; the store chooses them if more are held
	 * @return the held leases
	 * @throws IllegalArgumentException if the limit is negative
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 */
	List<HeldLease> held(int limit);

	/**
	 * Evicts the holder of a lease and advances the fence. The evicted holder is notified
	 * by the next beat that renews its lease, and a resource that checks the fence
	 * refuses it. If the key has no lease, its claim is removed.
	 * <p>
	 * A lock that a plain {@code LockRegistry} took on Locket's registry key is evicted
	 * too, including the application's own locks under any path. The kind of the result
	 * is {@code FOREIGN} then. {@link #find(JobKey)} returns the kind without evicting.
	 * @param digest the digest of the key, or the path of a lock
	 * @return the lease or claim that was removed, or empty if there was none
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the store does not support it
	 */
	Optional<HeldLease> forceRelease(String digest);

}
