package io.locket.benchmarks.lock;

import java.util.UUID;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.redis.FloorScript;

/**
 * The least that a safe lock does: {@code SET NX PX} and a release that checks its token,
 * two round trips on one shared connection.
 */
final class RawLock {

	private final StatefulRedisConnection<String, String> connection;

	private final FloorScript release;

	RawLock(StatefulRedisConnection<String, String> connection) {
		this.connection = connection;
		this.release = new FloorScript(connection, "release");
	}

	void lockAndRelease(long number) {
		String key = "floor:lock:" + number;
		String token = UUID.randomUUID().toString();
		String reply = this.connection.sync().set(key, token, SetArgs.Builder.nx().px(35_000));
		if (reply == null || this.release.<Long>call(ScriptOutputType.INTEGER, new String[] { key }, token) != 1) {
			throw new IllegalStateException("The lock " + key + " was not free");
		}
	}

}
