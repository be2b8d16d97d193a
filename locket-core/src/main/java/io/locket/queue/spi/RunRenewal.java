package io.locket.queue.spi;

import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * Result of renewing the leases of a run.
 *
 * @param running whether the run still has its job; {@code false} if the job was handed
 * out again, or has ended
 * @param keyLoss the cause if the key lease is lost while the run lease still holds, or
 * {@code null}
 * @param cancelled whether the job was cancelled, or its queue removed
 */
public record RunRenewal(boolean running, @Nullable LeaseLossCause keyLoss, boolean cancelled) {

}
