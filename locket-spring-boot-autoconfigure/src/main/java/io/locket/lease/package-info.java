/**
 * Leases: the port, its stores and the heartbeat that keeps them alive.
 */
@NullMarked
package io.locket.lease;

import org.jspecify.annotations.NullMarked;
