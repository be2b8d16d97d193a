package io.locket.lease.heartbeat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.LeaseLossCause;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import io.locket.log.OutageLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Renewal of many leases, in batches for each store. Failures are logged as one outage
 * for each store. Thread-safe.
 */
final class BatchRenewal {

	private static final Log logger = LogFactory.getLog(BatchRenewal.class);

	private final Map<LeaseRenewer, OutageLog> outages = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	/**
	 * Creates a renewal.
	 * @param nanoTime the monotonic clock
	 */
	BatchRenewal(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Renews leases, and logs failures.
	 * @param due the leases to renew
	 * @param held the leases that are still held. Others are left out
	 * @return the number of calls that failed
	 */
	int renew(List<LiveLease> due, Set<LiveLease> held) {
		int failures = 0;
		for (Map.Entry<LeaseRenewer, List<LiveLease>> ofStore : byRenewer(due).entrySet()) {
			failures += renewOfStore(ofStore.getKey(), ofStore.getValue(), held);
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
	private int renewOfStore(LeaseRenewer renewer, List<LiveLease> due, Set<LiveLease> held) {
		Deque<List<LiveLease>> batches = batches(due, renewer.batch());
		int failures = 0;
		boolean replied = false;
		RuntimeException failure = null;
		boolean hangs = false;
		while (!batches.isEmpty() && !hangs) {
			List<LiveLease> batch = batches.removeFirst();
			long sentAt = this.nanoTime.getAsLong();
			try {
				replied |= renewBatch(renewer, batch, held, sentAt);
			}
			catch (RuntimeException ex) {
				if (batch.size() > 1 && ex instanceof BatchRefusedException) {
					batch.forEach((lease) -> batches.addFirst(List.of(lease)));
				}
				else {
					failures++;
					failure = ex;
					hangs = StoreHang.isShownBy(this.nanoTime.getAsLong() - sentAt);
				}
			}
		}
		log(renewer, failure, replied);
		return failures;
	}

	private void log(LeaseRenewer renewer, @Nullable RuntimeException failure, boolean replied) {
		if (failure != null) {
			this.outages.computeIfAbsent(renewer, (store) -> outage()).failed(failure);
			return;
		}
		OutageLog outage = replied ? this.outages.get(renewer) : null;
		if (outage != null) {
			outage.succeeded();
		}
	}

	private OutageLog outage() {
		return new OutageLog(logger, this.nanoTime,
				"Could not renew leases; Locket retries soon, and they are lost unless a renewal succeeds before their"
						+ " deadline",
				"Leases are renewed again");
	}

	/**
	 * Forgets the outages of stores without leases, because no renewal shows their end.
	 * @param leases the leases that are held
	 */
	void retainOutages(Stream<LiveLease> leases) {
		if (!this.outages.isEmpty()) {
			this.outages.keySet().retainAll(leases.map(LiveLease::renewer).collect(Collectors.toSet()));
		}
	}

	private static Deque<List<LiveLease>> batches(List<LiveLease> due, int size) {
		Deque<List<LiveLease>> batches = new ArrayDeque<>();
		for (int from = 0; from < due.size(); from += size) {
			batches.add(due.subList(from, Math.min(due.size(), from + size)));
		}
		return batches;
	}

	/**
	 * Renews the leases of a batch that are still held.
	 * @return whether there were any, so that the store has replied
	 */
	private boolean renewBatch(LeaseRenewer renewer, List<LiveLease> batch, Set<LiveLease> held, long sentAt) {
		List<LiveLease> renewed = new ArrayList<>(batch);
		renewed.retainAll(held);
		if (renewed.isEmpty()) {
			return false;
		}
		List<Renewal> renewals = renewer.renew(renewed);
		for (int i = 0; i < renewed.size(); i++) {
			apply(renewed.get(i), renewals.get(i), sentAt);
		}
		return true;
	}

	/**
	 * Applies the reply of the store to a lease.
	 * @param lease the lease
	 * @param renewal the reply
	 * @param sentAt the time of the request, by the monotonic clock
	 */
	static void apply(LiveLease lease, Renewal renewal, long sentAt) {
		switch (renewal) {
			case RENEWED -> lease.confirm(sentAt);
			case TAKEN -> lease.lose(LeaseLossCause.TAKEN);
			case GONE -> lease.lose(LeaseLossCause.GONE);
			case NOT_RENEWABLE -> lease.markNotRenewable();
		}
	}

}
