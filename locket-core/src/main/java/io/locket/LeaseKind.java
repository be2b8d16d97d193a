package io.locket;

import java.util.Locale;

/**
 * Kinds of leases in events, meters, {@code HeldLease} and the endpoint.
 */
public enum LeaseKind {

	/**
	 * The lease of a key: of a direct call, a queued run, or a caller of
	 * {@code LeaseService}.
	 */
	KEY,

	/**
	 * A claim of a key for a period, which is never renewed: {@code UNTIL_EXPIRED}.
	 */
	CLAIM,

	/**
	 * The lease of a queued run whose lock strategy takes no key lease. It excludes no
	 * other run.
	 */
	RUN,

	/**
	 * A lease of Locket itself, such as the leader's. The name of its job begins with
	 * {@value #RESERVED}, which is reserved for such leases.
	 */
	INTERNAL,

	/**
	 * A lock whose holder left no record, such as one of a plain {@code LockRegistry}.
	 */
	FOREIGN;

	/**
	 * The prefix of the names of Locket's own leases.
	 */
	public static final String RESERVED = "locket.";

	private final String tag = name().toLowerCase(Locale.ROOT);

	/**
	 * Returns the kind of a lease of a key.
	 * @param job the name of the job
	 * @return {@link #INTERNAL} or {@link #KEY}
	 */
	public static LeaseKind ofJob(String job) {
		return job.startsWith(RESERVED) ? INTERNAL : KEY;
	}

	/**
	 * Returns the value of the {@code kind} tag of meters.
	 * @return the name in lower case
	 */
	public String tag() {
		return this.tag;
	}

}
