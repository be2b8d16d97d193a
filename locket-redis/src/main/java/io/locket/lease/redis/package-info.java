/**
 * Leases in Redis by scripts, in the lock space of {@code RedisLockRegistry}. Not part of
 * the API, except {@link io.locket.lease.redis.RedisLeases}.
 */
@NullMarked
package io.locket.lease.redis;

import org.jspecify.annotations.NullMarked;
