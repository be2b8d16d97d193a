package io.locket.actuate.descriptor;

import java.time.Instant;

import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.lease.HeldLease;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A held lease. Times are those of the store.
 *
 * @param key the key, without its text if there is no holder record
 * @param job the name of the job or of the lease, or {@code null} without a holder record
 * @param instance the process of the holder, {@code (foreign)} without a holder record
 * @param thread the thread that acquired it, or {@code null} without a holder record
 * @param since the time of the acquisition, or {@code null} if it is unknown
 * @param fencingToken the fencing token, or {@code null} if it has none
 * @param ageMs the time since the acquisition, in milliseconds, or {@code null} if it is
 * unknown
 * @param remainingMs the time until it expires unless renewed, in milliseconds, or
 * {@code null} if the store does not support this
 * @param kind the kind of the lease
 */
public record LeaseDescriptor(KeyDescriptor key, @Nullable String job, String instance, @Nullable String thread,
		@Nullable Instant since, @Nullable Long fencingToken, @Nullable Long ageMs, @Nullable Long remainingMs,
		LeaseKind kind) implements OperationResponseBody {

	public static LeaseDescriptor of(HeldLease lease, ArgumentMask mask) {
		LeaseHolder holder = lease.holder();
		return new LeaseDescriptor(new KeyDescriptor(lease.digest(), mask.key(lease.job(), lease.key())), lease.job(),
				holder.instance(), holder.isForeign() ? null : holder.thread(), holder.since(),
				(holder.fencingToken() != 0) ? holder.fencingToken() : null, Milliseconds.of(lease.age()),
				Milliseconds.of(lease.remaining()), lease.kind());
	}

}
