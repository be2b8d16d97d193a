package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseHolder;

/**
 * A lease was taken from its holder by force. Published by the process that did it; the
 * holder's own tells {@link LeaseLost}.
 *
 * @param key the key; of a holder that left no record only the digest is known
 * @param holder who held it
 */
public record LeaseForced(JobKey key, LeaseHolder holder) implements LeaseEvent {

}
