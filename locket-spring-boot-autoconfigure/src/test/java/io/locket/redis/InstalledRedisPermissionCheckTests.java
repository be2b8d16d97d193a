package io.locket.redis;

import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Tag;

/**
 * {@link PermissionCheckTests} on the installed Redis, which is version 7 or later.
 */
@Tag("scale")
@Tag("redis7")
class InstalledRedisPermissionCheckTests extends PermissionCheckTests {

	@Override
	RedisServer startServer() {
		return RedisServer.startInstalled();
	}

}
