package io.locket.actuate;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.locket.JobKey;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.LeaseDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The section of the held leases and their holders. The digest of its key identifies a
 * lease.
 */
final class LeasesSection implements EndpointSection {

	static final String PATH = "leases";

	private final LeaseService leases;

	LeasesSection(LeaseService leases) {
		this.leases = leases;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public Set<String> listParameters() {
		return ListQuery.LIMIT;
	}

	@Override
	public LeasesDescriptor list(ListQuery query, ArgumentMask mask) {
		return new LeasesDescriptor(
				this.leases.held(query.size()).stream().map((lease) -> LeaseDescriptor.of(lease, mask)).toList());
	}

	@Override
	public LeaseDescriptor entry(String name, ListQuery query, ArgumentMask mask) {
		return LeaseDescriptor.of(find(name).orElseThrow(() -> unknown(name)), mask);
	}

	/**
	 * Returns a key for lookups, which use only its digest.
	 */
	static JobKey keyOf(String digest) {
		return new JobKey("", digest, "");
	}

	static Optional<HeldLease> findClaim(LeaseService leases, JobKey key) {
		return leases.isThreadBound() ? Optional.empty() : leases.findClaim(key);
	}

	/**
	 * Returns the lease of a key, or else its claim.
	 */
	private Optional<HeldLease> find(String digest) {
		JobKey key = keyOf(digest);
		return this.leases.find(key).or(() -> findClaim(this.leases, key));
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String argument) {
		HeldLease lease = this.leases.forceRelease(name).orElseThrow(() -> unknown(name));
		return ResultDescriptor.released(lease);
	}

	private static UnknownEntryException unknown(String digest) {
		return new UnknownEntryException("No lease or claim is held for a key with the digest '" + digest + "'");
	}

	/**
	 * The held leases.
	 *
	 * @param leases the leases, in the order of their expiry
	 */
	public record LeasesDescriptor(List<LeaseDescriptor> leases) implements OperationResponseBody {

	}

}
