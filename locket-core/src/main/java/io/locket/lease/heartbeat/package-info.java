/**
 * Live leases of this process: their renewal, the detection of their loss, and run
 * leases. Not part of the API.
 */
@NullMarked
package io.locket.lease.heartbeat;

import org.jspecify.annotations.NullMarked;
