package io.locket;

/**
 * Exception for a body that continues after its lease was lost.
 */
public class LeaseLostException extends RuntimeException {

	private final JobKey key;

	private final LeaseLossCause lossCause;

	/**
	 * Creates an exception for a lost lease.
	 * @param key the key of the lease
	 * @param lossCause the reason for the loss
	 */
	public LeaseLostException(JobKey key, LeaseLossCause lossCause) {
		super("The lease of job " + key + " was lost: " + switch (lossCause) {
			case UNREACHABLE -> "Redis could not be reached in time to renew it";
			case TAKEN -> "another owner holds it";
			case GONE -> "it expired, was released by force, or Redis lost its data";
		});
		this.key = key;
		this.lossCause = lossCause;
	}

	/**
	 * Returns the key of the lost lease.
	 * @return the key
	 */
	public JobKey getKey() {
		return this.key;
	}

	/**
	 * Returns the reason for the loss.
	 * @return the cause
	 */
	public LeaseLossCause getLossCause() {
		return this.lossCause;
	}

}
