package io.locket.autoconfigure.properties;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;

/**
 * The strategies that a property may have: those of {@link io.locket.UniqueJob} without
 * {@code DEFAULT}. To leave a strategy open, do not set the property.
 */
public final class ConfiguredStrategies {

	private ConfiguredStrategies() {
	}

	/**
	 * Lock strategies.
	 */
	public enum Lock {

		/**
		 * {@link LockStrategy#UNTIL_EXECUTING}.
		 */
		UNTIL_EXECUTING,

		/**
		 * {@link LockStrategy#WHILE_EXECUTING}.
		 */
		WHILE_EXECUTING,

		/**
		 * {@link LockStrategy#UNTIL_EXECUTED}.
		 */
		UNTIL_EXECUTED,

		/**
		 * {@link LockStrategy#UNTIL_AND_WHILE_EXECUTING}.
		 */
		UNTIL_AND_WHILE_EXECUTING,

		/**
		 * {@link LockStrategy#UNTIL_EXPIRED}.
		 */
		UNTIL_EXPIRED,

		/**
		 * {@link LockStrategy#NONE}.
		 */
		NONE;

		/**
		 * Returns the lock strategy.
		 * @return the strategy of the same name
		 */
		public LockStrategy strategy() {
			return LockStrategy.valueOf(name());
		}

	}

	/**
	 * Duplicate strategies.
	 */
	public enum OnDuplicate {

		/**
		 * {@link DuplicateStrategy#REJECT}.
		 */
		REJECT,

		/**
		 * {@link DuplicateStrategy#RAISE}.
		 */
		RAISE,

		/**
		 * {@link DuplicateStrategy#REPLACE}.
		 */
		REPLACE;

		/**
		 * Returns the duplicate strategy.
		 * @return the strategy of the same name
		 */
		public DuplicateStrategy strategy() {
			return DuplicateStrategy.valueOf(name());
		}

	}

	/**
	 * Conflict strategies.
	 */
	public enum OnConflict {

		/**
		 * {@link ConflictStrategy#PARK}.
		 */
		PARK,

		/**
		 * {@link ConflictStrategy#REJECT}.
		 */
		REJECT,

		/**
		 * {@link ConflictStrategy#RAISE}.
		 */
		RAISE,

		/**
		 * {@link ConflictStrategy#RESCHEDULE}.
		 */
		RESCHEDULE,

		/**
		 * {@link ConflictStrategy#WAIT}.
		 */
		WAIT;

		/**
		 * Returns the conflict strategy.
		 * @return the strategy of the same name
		 */
		public ConflictStrategy strategy() {
			return ConflictStrategy.valueOf(name());
		}

	}

}
