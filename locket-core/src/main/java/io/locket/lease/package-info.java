/**
 * Leases: the port that applications use, and the values that it exchanges.
 */
@NullMarked
package io.locket.lease;

import org.jspecify.annotations.NullMarked;
