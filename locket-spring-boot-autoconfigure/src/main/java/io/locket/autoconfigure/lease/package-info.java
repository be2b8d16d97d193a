/**
 * Auto-configuration of leases and of the connections to Redis. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.lease;

import org.jspecify.annotations.NullMarked;
