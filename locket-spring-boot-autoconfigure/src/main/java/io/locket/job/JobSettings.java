package io.locket.job;

import java.time.Duration;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;

/**
 * What a {@link io.locket.UniqueJob} gets that does not say otherwise, and what bounds
 * it.
 *
 * @param lock the lock strategy
 * @param onConflict the conflict strategy
 * @param maskArguments whether arguments are kept out of logs, holder records and
 * exceptions
 * @param leaseDuration how long a lease lasts without a heartbeat
 * @param commandTimeout how long the store may take to answer; a lease lasts for three of
 * them at least
 * @param threadBound whether the store's locks belong to the thread that took them, so
 * that neither results that arrive later nor periods nor minimum holds can be guarded
 */
public record JobSettings(LockStrategy lock, ConflictStrategy onConflict, boolean maskArguments, Duration leaseDuration,
		Duration commandTimeout, boolean threadBound) {

	public JobSettings {
		Objects.requireNonNull(lock, "'lock' must not be null");
		Objects.requireNonNull(onConflict, "'onConflict' must not be null");
		Objects.requireNonNull(leaseDuration, "'leaseDuration' must not be null");
		Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		lock = (lock == LockStrategy.DEFAULT) ? LockStrategy.WHILE_EXECUTING : lock;
		onConflict = (onConflict == ConflictStrategy.DEFAULT) ? ConflictStrategy.REJECT : onConflict;
	}

}
