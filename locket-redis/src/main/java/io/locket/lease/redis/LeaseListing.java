package io.locket.lease.redis;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.lease.HeldLease;
import io.locket.lease.heartbeat.LeaseHeartbeat;

/**
 * List of the held leases of the fleet. The index in Redis has a lease from its first
 * renewal on. Younger leases of this process are added.
 */
final class LeaseListing {

	private static final int PAGE = 100;

	private final LeaseScripts scripts;

	private final LeaseHeartbeat heartbeat;

	LeaseListing(LeaseScripts scripts, LeaseHeartbeat heartbeat) {
		this.scripts = scripts;
		this.heartbeat = heartbeat;
	}

	/**
	 * Lists leases.
	 * @param limit the maximum number of leases
	 * @param own selects the leases of this process that belong to the list
	 * @return the leases that are held now, in the order of their expiry
	 */
	List<HeldLease> held(int limit, Predicate<RedisLease> own) {
		Stream<String> unlisted = this.heartbeat.leases()
			.filter(RedisLease.class::isInstance)
			.map(RedisLease.class::cast)
			.filter(own)
			.filter((lease) -> !lease.isListed())
			.map((lease) -> lease.key().digest());
		List<String> digests = Stream.concat(this.scripts.list(limit).stream(), unlisted)
			.distinct()
			.limit(limit)
			.toList();
		return IntStream.iterate(0, (from) -> from < digests.size(), (from) -> from + PAGE)
			.mapToObj((from) -> digests.subList(from, Math.min(digests.size(), from + PAGE)))
			.flatMap((page) -> this.scripts.find(page).stream())
			.sorted(Comparator.comparing(HeldLease::remaining, Comparator.nullsLast(Comparator.naturalOrder())))
			.toList();
	}

}
