/**
 * Auto-configuration of leases and of the connections to Redis.
 */
@NullMarked
package io.locket.autoconfigure.lease;

import org.jspecify.annotations.NullMarked;
