/**
 * Leases on the application's own {@code LockRegistry}. Not part of the API.
 */
@NullMarked
package io.locket.lease.registry;

import org.jspecify.annotations.NullMarked;
