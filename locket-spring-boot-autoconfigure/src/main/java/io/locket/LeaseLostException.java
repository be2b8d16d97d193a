package io.locket;

/**
 * A body went on although its lease was lost.
 */
public class LeaseLostException extends RuntimeException {

	private final JobKey key;

	private final LeaseLossCause lossCause;

	/**
	 * Create an exception for a lost lease.
	 * @param key the key of the lease
	 * @param lossCause why it was lost
	 */
	public LeaseLostException(JobKey key, LeaseLossCause lossCause) {
		super("The lease of job " + key + " was lost: " + switch (lossCause) {
			case UNREACHABLE -> "Redis could not be reached in time to renew it";
			case TAKEN -> "someone else owns it";
			case GONE -> "it expired, was released by force, or Redis lost its data";
		});
		this.key = key;
		this.lossCause = lossCause;
	}

	/**
	 * Return the key of the lost lease.
	 * @return the key
	 */
	public JobKey getKey() {
		return this.key;
	}

	/**
	 * Return why the lease was lost.
	 * @return the cause
	 */
	public LeaseLossCause getLossCause() {
		return this.lossCause;
	}

}
