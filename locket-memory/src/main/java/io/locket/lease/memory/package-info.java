/**
 * Leases in the memory of one process, for tests, and the lock space that they share with
 * the queue in memory. Not part of the API.
 */
@NullMarked
package io.locket.lease.memory;

import org.jspecify.annotations.NullMarked;
