package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.queue.JobStore;
import io.locket.queue.QueueHarness;

/**
 * {@link QueueHarness} for the {@link InMemoryJobQueue}.
 */
public final class InMemoryHarness implements QueueHarness {

	private final InMemoryJobQueue queue;

	public InMemoryHarness() {
		this(new InMemoryJobQueue());
	}

	InMemoryHarness(InMemoryJobQueue queue) {
		this.queue = queue;
	}

	@Override
	public InMemoryJobQueue queue() {
		return this.queue;
	}

	@Override
	public JobStore store() {
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
				new MemoryStore.Lock("foreign", null, this.queue.store.now + period.toMillis(), LeaseHolder.foreign()));
	}

	@Override
	public void releaseForeign(JobKey key) {
		this.queue.store.locks.remove(key.digest());
	}

	@Override
	public void claim(JobKey key, Duration period) {
		this.queue.store.claims.put(key.digest(),
				new MemoryStore.Claim(null, claimant(), this.queue.store.now + period.toMillis()));
	}

}
