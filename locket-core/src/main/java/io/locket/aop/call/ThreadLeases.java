package io.locket.aop.call;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * Leases of the current thread. A call of one of their keys on the same thread runs
 * inside the lease.
 */
public final class ThreadLeases {

	private static final ThreadLocal<@Nullable Map<String, Deque<SharedLease>>> LEASES = new ThreadLocal<>();

	private ThreadLeases() {
	}

	/**
	 * Registers a user of the lease that this thread has of a key.
	 * @param key the key
	 * @return the lease, which the caller must release, or {@code null} if there is none
	 * that holds
	 */
	public static @Nullable SharedLease retain(JobKey key) {
		Map<String, Deque<SharedLease>> leases = LEASES.get();
		Deque<SharedLease> ofKey = (leases != null) ? leases.get(key.digest()) : null;
		SharedLease lease = (ofKey != null) ? ofKey.peek() : null;
		return (lease != null && lease.retain()) ? lease : null;
	}

	/**
	 * Runs calls on this thread inside a lease, until {@link #leave} is called as often.
	 * @param lease the lease
	 */
	public static void enter(SharedLease lease) {
		Map<String, Deque<SharedLease>> leases = LEASES.get();
		if (leases == null) {
			leases = new HashMap<>();
			LEASES.set(leases);
		}
		leases.computeIfAbsent(lease.lease().key().digest(), (digest) -> new ArrayDeque<>(1)).push(lease);
	}

	/**
	 * Ends the effect of {@link #enter}. Leases may be left in any order, because
	 * transactions end them in the order in which they were entered.
	 * @param lease the lease
	 */
	public static void leave(SharedLease lease) {
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
	 * Returns whether the current thread has no lease.
	 * @return {@code true} if it has none
	 */
	public static boolean isEmpty() {
		return LEASES.get() == null;
	}

}
