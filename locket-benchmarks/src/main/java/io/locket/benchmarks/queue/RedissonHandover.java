package io.locket.benchmarks.queue;

import java.util.concurrent.locks.Lock;

import io.locket.benchmarks.redis.BenchmarkRedis;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Handover between two clients of Redisson.
 */
final class RedissonHandover extends Handover {

	private final RedissonClient one;

	private final RedissonClient other;

	RedissonHandover(BenchmarkRedis redis) {
		this.one = client(redis);
		this.other = client(redis);
	}

	private static RedissonClient client(BenchmarkRedis redis) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://" + redis.host() + ":" + redis.port());
		return Redisson.create(config);
	}

	@Override
	public String name() {
		return "Redisson";
	}

	@Override
	Runnable hold() {
		return acquire(this.one);
	}

	@Override
	Runnable await() {
		return acquire(this.other);
	}

	private static Runnable acquire(RedissonClient client) {
		Lock lock = client.getLock("handover-redisson");
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.one.shutdown();
		this.other.shutdown();
	}

}
