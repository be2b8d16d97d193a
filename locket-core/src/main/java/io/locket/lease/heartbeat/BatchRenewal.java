package io.locket.lease.heartbeat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.locket.LeaseLossCause;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Renewal of many leases, in batches for each store.
 */
final class BatchRenewal {

	private static final Log logger = LogFactory.getLog(BatchRenewal.class);

	private final Set<LiveLease> leases;

	private final LongSupplier nanoTime;

	/**
	 * Creates a renewal.
	 * @param leases the leases that are still held. Others are left out
	 * @param nanoTime the monotonic clock
	 */
	BatchRenewal(Set<LiveLease> leases, LongSupplier nanoTime) {
		this.leases = leases;
		this.nanoTime = nanoTime;
	}

	/**
	 * Renews leases, and logs failures.
	 * @param due the leases to renew
	 * @return the number of calls that failed
	 */
	int renew(List<LiveLease> due) {
		int failures = 0;
		for (Map.Entry<LeaseRenewer, List<LiveLease>> ofStore : byRenewer(due).entrySet()) {
			failures += renewOfStore(ofStore.getKey(), ofStore.getValue());
		}
		return failures;
	}

	private static Map<LeaseRenewer, List<LiveLease>> byRenewer(List<LiveLease> leases) {
		return leases.stream()
			.collect(Collectors.groupingBy(LiveLease::renewer, IdentityHashMap::new, Collectors.toList()));
	}

	/**
	 * Renews the leases of one store, independently of other stores, which may hang.
	 * Leases that a cluster refuses together because its slot moves are renewed one by
	 * one.
	 */
	private int renewOfStore(LeaseRenewer renewer, List<LiveLease> due) {
		Deque<List<LiveLease>> batches = batches(due, renewer.batch());
		int failures = 0;
		int leases = 0;
		RuntimeException failure = null;
		boolean hangs = false;
		while (!batches.isEmpty() && !hangs) {
			List<LiveLease> batch = batches.removeFirst();
			long sentAt = this.nanoTime.getAsLong();
			try {
				renewBatch(renewer, batch, sentAt);
			}
			catch (RuntimeException ex) {
				if (batch.size() > 1 && ex instanceof BatchRefusedException) {
					batch.forEach((lease) -> batches.addFirst(List.of(lease)));
				}
				else {
					failures++;
					leases += batch.size();
					failure = ex;
					hangs = StoreHang.isShownBy(this.nanoTime.getAsLong() - sentAt);
				}
			}
		}
		if (failure != null) {
			logger
				.warn("Could not renew " + leases + " leases. Locket retries soon; the leases are lost unless a renewal"
						+ " succeeds before their deadline. Check Redis. " + failure);
		}
		return failures;
	}

	private static Deque<List<LiveLease>> batches(List<LiveLease> due, int size) {
		Deque<List<LiveLease>> batches = new ArrayDeque<>();
		for (int from = 0; from < due.size(); from += size) {
			batches.add(due.subList(from, Math.min(due.size(), from + size)));
		}
		return batches;
	}

	private void renewBatch(LeaseRenewer renewer, List<LiveLease> batch, long sentAt) {
		List<LiveLease> held = new ArrayList<>(batch);
		held.retainAll(this.leases);
		if (held.isEmpty()) {
			return;
		}
		List<Renewal> answers = renewer.renew(held);
		for (int i = 0; i < held.size(); i++) {
			apply(held.get(i), answers.get(i), sentAt);
		}
	}

	/**
	 * Applies the reply of the store to a lease.
	 * @param lease the lease
	 * @param answer the reply
	 * @param sentAt the time of the request, by the monotonic clock
	 */
	static void apply(LiveLease lease, Renewal answer, long sentAt) {
		switch (answer) {
			case RENEWED -> lease.confirm(sentAt);
			case TAKEN -> lease.lose(LeaseLossCause.TAKEN);
			case GONE -> lease.lose(LeaseLossCause.GONE);
			case NOT_RENEWABLE -> lease.markNotRenewable();
		}
	}

}
