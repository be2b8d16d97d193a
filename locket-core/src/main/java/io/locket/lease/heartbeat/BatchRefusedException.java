package io.locket.lease.heartbeat;

/**
 * Thrown if a store refuses to renew several leases by one call, but may renew each of
 * them alone. A Redis Cluster does so while the slot of the keys moves. Nothing was
 * renewed.
 */
public class BatchRefusedException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param cause the refusal of the store
	 */
	public BatchRefusedException(RuntimeException cause) {
		super(cause.toString(), cause);
	}

}
