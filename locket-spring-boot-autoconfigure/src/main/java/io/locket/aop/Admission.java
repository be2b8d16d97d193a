package io.locket.aop;

/**
 * Whether a call may run.
 */
sealed interface Admission {

	/**
	 * The call runs inside a lease.
	 *
	 * @param lease the lease, of which the caller is a user
	 */
	record Admitted(SharedLease lease) implements Admission {

	}

	/**
	 * The call runs without a lease.
	 */
	record Unguarded() implements Admission {

	}

	/**
	 * The call is skipped, and returns what says so.
	 */
	record Skipped() implements Admission {

	}

	/**
	 * The call fails.
	 *
	 * @param error the error
	 */
	record Failed(RuntimeException error) implements Admission {

	}

}
