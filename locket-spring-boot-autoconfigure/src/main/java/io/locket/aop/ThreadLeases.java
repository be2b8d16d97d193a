package io.locket.aop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * The leases inside which the current thread runs. A call of one of their keys on the
 * same thread runs inside the lease.
 */
final class ThreadLeases {

	private static final ThreadLocal<@Nullable Map<String, Deque<SharedLease>>> LEASES = new ThreadLocal<>();

	private ThreadLeases() {
	}

	/**
	 * Become a user of the lease that this thread has of a key.
	 * @param key the key
	 * @return the lease, which the caller has to release, or {@code null} if there is
	 * none that holds
	 */
	static @Nullable SharedLease retain(JobKey key) {
		Map<String, Deque<SharedLease>> leases = LEASES.get();
		Deque<SharedLease> ofKey = (leases != null) ? leases.get(key.digest()) : null;
		SharedLease lease = (ofKey != null) ? ofKey.peek() : null;
		return (lease != null && lease.retain()) ? lease : null;
	}

	/**
	 * Let calls on this thread run inside a lease, until {@link #leave} is called as
	 * often.
	 * @param lease the lease
	 */
	static void enter(SharedLease lease) {
		Map<String, Deque<SharedLease>> leases = LEASES.get();
		if (leases == null) {
			leases = new HashMap<>();
			LEASES.set(leases);
		}
		leases.computeIfAbsent(lease.lease().key().digest(), (digest) -> new ArrayDeque<>()).push(lease);
	}

	/**
	 * End what {@link #enter} began. Leases may be left in any order: transactions end
	 * them in the one in which they were entered.
	 * @param lease the lease
	 */
	static void leave(SharedLease lease) {
		Map<String, Deque<SharedLease>> leases = LEASES.get();
		if (leases == null) {
			return;
		}
		leases.computeIfPresent(lease.lease().key().digest(), (digest, ofKey) -> {
			ofKey.removeFirstOccurrence(lease);
			return ofKey.isEmpty() ? null : ofKey;
		});
		if (leases.isEmpty()) {
			LEASES.remove();
		}
	}

	/**
	 * Return whether the current thread runs inside no lease at all.
	 * @return {@code true} if there is none
	 */
	static boolean isEmpty() {
		return LEASES.get() == null;
	}

}
