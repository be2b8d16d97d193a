package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseLossCause;

/**
 * A lease was lost while its body ran. Published once for each lost lease.
 *
 * @param key the key
 * @param fencingToken the fencing token, or {@code 0} if the store has no fence
 * @param cause why it was lost
 */
public record LeaseLost(JobKey key, long fencingToken, LeaseLossCause cause) implements LeaseEvent {

}
