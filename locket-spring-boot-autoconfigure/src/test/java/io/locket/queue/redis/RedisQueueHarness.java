package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.locket.JobKey;
import io.locket.event.JobEvent;
import io.locket.queue.QueueHarness;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;

/**
 * {@link QueueHarness} for the queue in Redis.
 */
public final class RedisQueueHarness implements QueueHarness {

	private final QueueFixture fixture = QueueFixture.manual();

	@Override
	public JobQueue queue() {
		return this.fixture.queue;
	}

	@Override
	public JobStore store() {
		return this.fixture.store;
	}

	@Override
	public List<JobEvent> events() {
		return this.fixture.events;
	}

	@Override
	public Instant now() {
		return Instant.ofEpochMilli(this.fixture.now());
	}

	@Override
	public void advance(Duration duration) {
		this.fixture.advance(duration);
	}

	@Override
	public void takeForeign(JobKey key, Duration period) {
		this.fixture.takeForeign(key, period);
	}

	@Override
	public void releaseForeign(JobKey key) {
		this.fixture.redis.delete(this.fixture.lock(key));
	}

	@Override
	public void claim(JobKey key, Duration period) {
		String name = this.fixture.name("claim:" + key.digest());
		this.fixture.redis.opsForValue()
			.set(name, "direct 1 " + this.fixture.now() + " {\"job\":\"job\",\"key\":\"[]\",\"instance\":\""
					+ claimant().instance() + "\",\"thread\":\"" + claimant().thread() + "\"}");
		this.fixture.redis.opsForHash()
			.put(this.fixture.name("test-expiry"), name, Long.toString(this.fixture.now() + period.toMillis()));
	}

	/**
	 * Returns what brings jobs into the queue by other scripts, on the same clock.
	 */
	public QueueExtension extension() {
		return this.fixture.extension();
	}

	/**
	 * Acquires a lease as its holder does, regardless of the current owner.
	 */
	public void hold(String digest, long fencingToken, Duration period) {
		String lock = this.fixture.leaseKeys.registryKey() + ":" + digest;
		String token = "token-" + fencingToken;
		this.fixture.redis.opsForValue().set(lock, token + " " + fencingToken + " " + this.fixture.now() + " {}");
		this.fixture.redis.opsForHash()
			.put(this.fixture.name("test-expiry"), lock, Long.toString(this.fixture.now() + period.toMillis()));
	}

	/**
	 * Gives a lease back as its holder does.
	 */
	public void release(String digest) {
		this.fixture.redis.delete(this.fixture.leaseKeys.registryKey() + ":" + digest);
	}

	/**
	 * Returns an action that restores a hash as it is now.
	 */
	public Runnable backup(String suffix) {
		String name = this.fixture.name(suffix);
		Map<Object, Object> before = this.fixture.redis.opsForHash().entries(name);
		return () -> {
			this.fixture.redis.delete(name);
			this.fixture.redis.opsForHash().putAll(name, before);
		};
	}

	@Override
	public void close() {
		this.fixture.close();
	}

}
