package io.locket.queue;

import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the renewal of a run's leases.
 *
 * @param running whether the run still has its job; {@code false} if it was given to
 * somebody else, or has ended
 * @param keyLoss why the key lease is lost while the run lease still holds, or
 * {@code null}
 * @param cancelled whether the job was cancelled, or its queue removed
 */
public record RunRenewal(boolean running, @Nullable LeaseLossCause keyLoss, boolean cancelled) {

}
