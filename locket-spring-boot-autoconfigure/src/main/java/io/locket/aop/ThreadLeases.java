package io.locket.aop;

import java.util.HashMap;
import java.util.Map;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * The leases inside which the current thread runs. A call of one of their keys on the
 * same thread runs inside the lease.
 */
final class ThreadLeases {

	private static final ThreadLocal<@Nullable Map<String, SharedLease>> LEASES = new ThreadLocal<>();

	private ThreadLeases() {
	}

	/**
	 * Become a user of the lease that this thread has of a key.
	 * @param key the key
	 * @return the lease, which the caller has to release, or {@code null} if there is
	 * none that holds
	 */
	static @Nullable SharedLease retain(JobKey key) {
		Map<String, SharedLease> leases = LEASES.get();
		SharedLease lease = (leases != null) ? leases.get(key.digest()) : null;
		return (lease != null && lease.retain()) ? lease : null;
	}

	/**
	 * Let calls on this thread run inside a lease.
	 * @param lease the lease
	 * @return the lease of that key that was there before, for {@link #leave}
	 */
	static @Nullable SharedLease enter(SharedLease lease) {
		Map<String, SharedLease> leases = LEASES.get();
		if (leases == null) {
			leases = new HashMap<>();
			LEASES.set(leases);
		}
		return leases.put(lease.lease().key().digest(), lease);
	}

	/**
	 * End what {@link #enter} began. Does nothing if another lease took its place.
	 * @param lease the lease
	 * @param previous the lease of that key that was there before
	 */
	static void leave(SharedLease lease, @Nullable SharedLease previous) {
		Map<String, SharedLease> leases = LEASES.get();
		String digest = lease.lease().key().digest();
		if (leases == null || leases.get(digest) != lease) {
			return;
		}
		if (previous != null) {
			leases.put(digest, previous);
			return;
		}
		leases.remove(digest);
		if (leases.isEmpty()) {
			LEASES.remove();
		}
	}

}
