package io.locket.actuate;

import java.time.Instant;

import io.locket.LeaseHolder;
import io.locket.lease.HeldLease;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A lease that somebody holds. Times are the store's.
 *
 * @param digest the digest of the key
 * @param job the name of the job or of the lease, or {@code null} if the holder left no
 * record
 * @param key the readable key, or a mask, or {@code null} if the holder left no record
 * @param instance the process that holds it, {@code (foreign)} if it left no record
 * @param thread the thread that took it, or {@code null} if the holder left no record
 * @param since when it was taken, or {@code null} if that is not known
 * @param fencingToken its fencing token, or {@code null} if it has none
 * @param ageMs for how long it has been held, in milliseconds, or {@code null} if that is
 * not known
 * @param remainingMs for how long it holds unless renewed, in milliseconds, or
 * {@code null} if the store cannot tell
 */
public record LeaseDescriptor(String digest, @Nullable String job, @Nullable String key, String instance,
		@Nullable String thread, @Nullable Instant since, @Nullable Long fencingToken, @Nullable Long ageMs,
		@Nullable Long remainingMs) implements OperationResponseBody {

	static LeaseDescriptor of(HeldLease lease, ArgumentMask mask) {
		LeaseHolder holder = lease.holder();
		return new LeaseDescriptor(lease.digest(), lease.job(), mask.key(lease.job(), lease.key()), holder.instance(),
				holder.isForeign() ? null : holder.thread(), holder.since(),
				(holder.fencingToken() != 0) ? holder.fencingToken() : null, Milliseconds.of(lease.age()),
				Milliseconds.of(lease.remaining()));
	}

}
