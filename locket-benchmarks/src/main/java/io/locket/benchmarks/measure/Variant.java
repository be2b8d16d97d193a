package io.locket.benchmarks.measure;

import java.util.Set;

/**
 * One way to do the work that a benchmark compares.
 */
public interface Variant extends RedisClient, AutoCloseable {

	/**
	 * Returns the name that the report shows.
	 * @return the name
	 */
	String name();

	/**
	 * Returns the number of operations of a run.
	 * @param operations the number that the benchmark intends
	 * @return the number, less for a variant that would take too long
	 */
	default int operations(int operations) {
		return operations;
	}

	/**
	 * Returns the CPU time that another process spent on the last run.
	 * @return nanoseconds
	 */
	default long otherCpuNanos() {
		return 0;
	}

	/**
	 * Prepares a run; not measured.
	 * @param operations the number of operations of the run
	 */
	default void prepare(int operations) {
	}

	/**
	 * Does the work; measured.
	 * @param operations the number of operations to do
	 */
	void run(int operations);

	/**
	 * Goes to rest after a run, so that nothing of this variant counts in the turns of
	 * others; not measured.
	 */
	default void rest() {
	}

	@Override
	default void close() {
	}

	/**
	 * Returns a variant that needs no preparation.
	 * @param name the name that the report shows
	 * @param work does one operation, given its number
	 * @param directCommands the commands that it sends beside scripts, in lower case
	 * @return the variant
	 */
	static Variant of(String name, Operation work, String... directCommands) {
		return new Variant() {

			@Override
			public Set<String> directCommands() {
				return Set.of(directCommands);
			}

			@Override
			public String name() {
				return name;
			}

			@Override
			public void run(int operations) {
				for (int i = 0; i < operations; i++) {
					work.run(i);
				}
			}

		};
	}

	/**
	 * One operation of a variant.
	 */
	@FunctionalInterface
	interface Operation {

		/**
		 * Does the operation.
		 * @param number the number of the operation within its run, from 0
		 */
		void run(int number);

	}

}
