package io.locket.actuate;

import java.util.List;

import io.locket.JobKey;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The leases that are held, with their holders. A lease is named by the digest of its
 * key.
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
	public LeasesDescriptor list(ListQuery query, ArgumentMask mask) {
		return new LeasesDescriptor(
				this.leases.held(query.size()).stream().map((lease) -> LeaseDescriptor.of(lease, mask)).toList());
	}

	/**
	 * Only the digest of a key counts where its lease is looked for.
	 */
	@Override
	public LeaseDescriptor entry(String name, ListQuery query, ArgumentMask mask) {
		HeldLease lease = this.leases.find(new JobKey("", name, "")).orElseThrow(() -> unknown(name));
		return LeaseDescriptor.of(lease, mask);
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String queue) {
		HeldLease lease = this.leases.forceRelease(name).orElseThrow(() -> unknown(name));
		return ResultDescriptor.released(lease.holder());
	}

	private static UnknownEntryException unknown(String digest) {
		return new UnknownEntryException("Nobody holds a lease of a key with the digest '" + digest + "'");
	}

	/**
	 * The leases that are held.
	 *
	 * @param leases the leases, the one that expires first first
	 */
	public record LeasesDescriptor(List<LeaseDescriptor> leases) implements OperationResponseBody {

	}

}
