package io.locket.queue.redis;

import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Tag;

/**
 * {@link RefusedMessageTests} on the Redis of this machine, which is 7 or later.
 */
@Tag("scale")
@Tag("redis7")
class InstalledRedisMessageTests extends RefusedMessageTests {

	@Override
	RedisServer startServer() {
		return RedisServer.startInstalled();
	}

}
