package io.locket.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * Takes leases, and tells of those that are held. A lease excludes every other lease of
 * the same key: of direct calls, of queued runs, and of locks that any service takes
 * through a plain {@code LockRegistry} on the same registry key. Thread-safe.
 */
public interface LeaseService {

	/**
	 * Take a lease without waiting, for the configured duration.
	 * @param name the name, which also tags meters: one of a few, not one for each key
	 * @param key the parts of the key, written as canonical JSON
	 * @return the lease, or empty if the key is taken
	 * @throws io.locket.JobKeyException if no key can be made of the parts
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 */
	default Optional<Lease> tryAcquire(String name, @Nullable Object... key) {
		return tryAcquire(LeaseRequest.of(keyOf(name, key)));
	}

	/**
	 * Take a lease.
	 * @param request key, duration, wait and minimum hold
	 * @return the lease, or empty if the key was taken until the wait was over
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 */
	default Optional<Lease> tryAcquire(LeaseRequest request) {
		return (attempt(request) instanceof LeaseAttempt.Acquired acquired) ? Optional.of(acquired.lease())
				: Optional.empty();
	}

	/**
	 * Take a lease, or learn who holds it. If the thread is interrupted while it waits,
	 * the wait ends, and the interrupt flag is set.
	 * @param request key, duration, wait and minimum hold
	 * @return the lease or the refusal
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws io.locket.LeaseRefusedException if the application context is closed, or a
	 * lock registry refuses a key that is free
	 */
	LeaseAttempt attempt(LeaseRequest request);

	/**
	 * Claim a key once for a period that nothing renews and nobody gives back. Claims and
	 * leases of a key do not exclude one another.
	 * @param key the key
	 * @param period the period
	 * @return the claim, as a lease that lasts for the period and whose release does
	 * nothing, or the refusal
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws UnsupportedOperationException if the store cannot do that
	 */
	LeaseAttempt claim(JobKey key, Duration period);

	/**
	 * Make the key of a name and its parts.
	 * @param name the name
	 * @param key the parts of the key
	 * @return the key
	 * @throws io.locket.JobKeyException if no key can be made of the parts
	 */
	JobKey keyOf(String name, @Nullable Object... key);

	/**
	 * Look who holds a key. Advisory: takes and frees nothing, and may be out of date
	 * when it returns.
	 * @param key the key
	 * @return the held lease, or empty if the key is free
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws UnsupportedOperationException if the store cannot be asked
	 */
	Optional<HeldLease> find(JobKey key);

	/**
	 * Look who has claimed a key. Advisory: takes and frees nothing, and may be out of
	 * date when it returns.
	 * @param key the key
	 * @return the claim, or empty if its period has passed or there was none
	 * @throws UnsupportedOperationException if the store cannot do that
	 */
	Optional<HeldLease> findClaim(JobKey key);

	/**
	 * Return whether a lease belongs to the thread that took it. Such a store, a plain
	 * {@code LockRegistry}, has no fence, no claims and no minimum hold either.
	 * @return {@code true} if only the thread that took a lease can release it
	 */
	default boolean isThreadBound() {
		return false;
	}

	/**
	 * Return whether a key is free. Advisory: takes and frees nothing, and may be out of
	 * date when it returns.
	 * @param key the key
	 * @return {@code true} if nobody holds a lease of it
	 */
	default boolean isAvailable(JobKey key) {
		return find(key).isEmpty();
	}

	/**
	 * List the leases that the fleet holds through Locket, the one that expires first
	 * first. Holders of plain lock registries are not in it.
	 * @param limit how many at the most
	 * @return the held leases
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 */
	List<HeldLease> held(int limit);

	/**
	 * Take a lease from whoever holds it now and move the fence, so that the evicted
	 * holder is told by the next beat that renews its lease, and a resource that knows
	 * the fence refuses it. Claims are not concerned.
	 * @param digest the digest of the key
	 * @return the lease that was taken away, or empty if the key was free
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws UnsupportedOperationException if the store cannot do that
	 */
	Optional<HeldLease> forceRelease(String digest);

}
