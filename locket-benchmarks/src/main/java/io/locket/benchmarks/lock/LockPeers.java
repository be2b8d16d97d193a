package io.locket.benchmarks.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Locks of other libraries.
 */
final class LockPeers implements AutoCloseable {

	private final RedisLockRegistry registry;

	private final LockProvider shedLock;

	private final RedissonClient redisson;

	LockPeers(String host, int port, RedisConnectionFactory connections) {
		this.registry = new RedisLockRegistry(connections, "registry", 35_000);
		this.registry.setExecutor(Runnable::run);
		this.registry.setCacheCapacity(65_535);
		this.shedLock = new RedisLockProvider(connections);
		Config config = new Config();
		config.useSingleServer().setAddress("redis://" + host + ":" + port);
		this.redisson = Redisson.create(config);
	}

	void registry(long number) {
		Lock lock = this.registry.obtain("lock" + number);
		if (!lock.tryLock()) {
			throw new IllegalStateException("The lock " + number + " was not free");
		}
		lock.unlock();
	}

	void shedLock(long number) {
		this.shedLock.lock(new LockConfiguration(Instant.now(), "lock" + number, Duration.ofSeconds(35), Duration.ZERO))
			.orElseThrow()
			.unlock();
	}

	void redisson(long number) {
		Lock lock = this.redisson.getLock("redisson:" + number);
		if (!lock.tryLock()) {
			throw new IllegalStateException("The lock " + number + " was not free");
		}
		lock.unlock();
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.redisson.shutdown();
	}

}
