package io.locket.job.definition;

import java.time.Duration;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Strategies of jobs that do not state their own. {@code DEFAULT} means not configured.
 *
 * @param lock the lock strategy
 * @param onDuplicate the duplicate strategy
 * @param onConflict the conflict strategy
 * @param uniqueFor the period of {@code UNTIL_EXPIRED} and the cap on a ticket, or
 * {@code null} for none
 */
public record StrategySettings(LockStrategy lock, DuplicateStrategy onDuplicate, ConflictStrategy onConflict,
		@Nullable Duration uniqueFor) {

	/**
	 * Settings without any strategy.
	 */
	public static final StrategySettings NONE = new StrategySettings(LockStrategy.DEFAULT, DuplicateStrategy.DEFAULT,
			ConflictStrategy.DEFAULT, null);

	public StrategySettings {
		Objects.requireNonNull(lock, "'lock' must not be null");
		Objects.requireNonNull(onDuplicate, "'onDuplicate' must not be null");
		Objects.requireNonNull(onConflict, "'onConflict' must not be null");
	}

}
