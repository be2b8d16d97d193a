package io.locket.autoconfigure;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The connections that Locket uses. They are no {@code RedisConnectionFactory} bean of
 * their own, so that the application's stays the only one, and the lease service closes
 * them, after the last lease.
 *
 * @param connectionFactory the connections
 * @param close closes them if they are Locket's own, and does nothing otherwise
 */
record LocketRedis(RedisConnectionFactory connectionFactory, Runnable close) {

}
