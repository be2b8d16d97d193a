package io.locket.queue;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseHolder;

/**
 * {@link QueueHarness} for the {@link ModelQueue}.
 */
final class ModelHarness implements QueueHarness {

	private final ModelQueue queue;

	ModelHarness() {
		this(new ModelQueue());
	}

	ModelHarness(ModelQueue queue) {
		this.queue = queue;
	}

	@Override
	public ModelQueue queue() {
		return this.queue;
	}

	@Override
	public Instant now() {
		return Instant.ofEpochMilli(this.queue.store.now);
	}

	@Override
	public void advance(Duration duration) {
		this.queue.store.now += duration.toMillis();
	}

	@Override
	public void takeForeign(JobKey key, Duration period) {
		this.queue.store.locks.put(key.digest(),
				new ModelStore.Lock("foreign", null, this.queue.store.now + period.toMillis(), LeaseHolder.foreign()));
	}

	@Override
	public void releaseForeign(JobKey key) {
		this.queue.store.locks.remove(key.digest());
	}

	@Override
	public void claim(JobKey key, Duration period) {
		this.queue.store.claims.put(key.digest(), new ModelStore.Claim(null, this.queue.store.now + period.toMillis()));
	}

}
