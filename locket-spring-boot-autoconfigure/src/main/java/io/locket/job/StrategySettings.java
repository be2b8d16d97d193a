package io.locket.job;

import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;

/**
 * The strategies of jobs that do not name theirs. {@code DEFAULT} says nothing.
 *
 * @param lock the lock strategy
 * @param onDuplicate the duplicate strategy
 * @param onConflict the conflict strategy
 */
public record StrategySettings(LockStrategy lock, DuplicateStrategy onDuplicate, ConflictStrategy onConflict) {

	/**
	 * Says nothing of any strategy.
	 */
	public static final StrategySettings NONE = new StrategySettings(LockStrategy.DEFAULT, DuplicateStrategy.DEFAULT,
			ConflictStrategy.DEFAULT);

	public StrategySettings {
		Objects.requireNonNull(lock, "'lock' must not be null");
		Objects.requireNonNull(onDuplicate, "'onDuplicate' must not be null");
		Objects.requireNonNull(onConflict, "'onConflict' must not be null");
	}

}
