/**
 * Leases in Redis by scripts, in the lock space of {@code RedisLockRegistry}. Not part of
 * the API.
 */
@NullMarked
package io.locket.lease.redis;

import org.jspecify.annotations.NullMarked;
