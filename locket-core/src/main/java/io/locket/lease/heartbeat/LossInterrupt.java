package io.locket.lease.heartbeat;

/**
 * Action of Locket itself at the loss of a lease, such as the interrupt of its body. It
 * never blocks, and no action of the application delays it.
 */
@FunctionalInterface
public interface LossInterrupt extends Runnable {

}
