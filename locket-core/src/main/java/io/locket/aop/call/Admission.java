package io.locket.aop.call;

/**
 * Decision about whether and how a call runs.
 */
public sealed interface Admission {

	/**
	 * The call runs inside a lease.
	 *
	 * @param lease the lease, one of whose users is the caller
	 */
	record Admitted(SharedLease lease) implements Admission {

	}

	/**
	 * The call runs without a lease.
	 */
	record Unguarded() implements Admission {

	}

	/**
	 * The call is skipped and returns the empty value of its return type.
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
