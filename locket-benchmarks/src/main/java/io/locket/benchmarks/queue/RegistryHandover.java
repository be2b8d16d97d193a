package io.locket.benchmarks.queue;

import java.util.concurrent.locks.Lock;

import io.locket.benchmarks.redis.BenchmarkRedis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Handover between two registries of Spring Integration with publish and subscribe.
 */
final class RegistryHandover extends Handover {

	private final Side one;

	private final Side other;

	RegistryHandover(BenchmarkRedis redis) {
		this.one = new Side(redis);
		this.other = new Side(redis);
	}

	@Override
	public String name() {
		return "RedisLockRegistry, pub/sub";
	}

	@Override
	Runnable hold() {
		return this.one.acquire();
	}

	@Override
	Runnable await() {
		return this.other.acquire();
	}

	@Override
	public void close() {
		this.one.close();
		this.other.close();
	}

	/**
	 * A registry with connections of its own.
	 */
	private static final class Side implements AutoCloseable {

		private final LettuceConnectionFactory connections;

		private final RedisLockRegistry locks;

		Side(BenchmarkRedis redis) {
			this.connections = new LettuceConnectionFactory(redis.host(), redis.port());
			this.connections.afterPropertiesSet();
			this.connections.start();
			this.locks = new RedisLockRegistry(this.connections, "handover-registry", 35_000);
			this.locks.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
		}

		Runnable acquire() {
			Lock lock = this.locks.obtain("handover");
			lock.lock();
			return lock::unlock;
		}

		@Override
		public void close() {
			this.locks.destroy();
			this.connections.destroy();
		}

	}

}
