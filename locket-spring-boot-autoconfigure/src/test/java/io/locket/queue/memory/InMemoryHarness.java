package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.event.JobEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.QueueHarness;
import io.locket.queue.spi.JobStore;

/**
 * {@link QueueHarness} for the {@link InMemoryJobQueue}.
 */
public final class InMemoryHarness implements QueueHarness {

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	private final ManualClock clock = new ManualClock();

	private final LockSpace space = new LockSpace(this.clock);

	private final InMemoryJobQueue queue;

	public InMemoryHarness() {
		this((space, events) -> new InMemoryJobQueue(space, 3, events));
	}

	public InMemoryHarness(BiFunction<LockSpace, JobEventPublisher, InMemoryJobQueue> queue) {
		this.queue = queue.apply(this.space, new JobEventPublisher(List.of(this.events::add)));
	}

	@Override
	public InMemoryJobQueue queue() {
		return this.queue;
	}

	/**
	 * Returns the lock space of the queue.
	 */
	public LockSpace space() {
		return this.space;
	}

	@Override
	public JobStore store() {
		return this.queue;
	}

	@Override
	public List<JobEvent> events() {
		return this.events;
	}

	@Override
	public Instant now() {
		return this.clock.instant();
	}

	@Override
	public void advance(Duration duration) {
		this.clock.advance(duration);
		this.queue.store.now = this.clock.millis();
		this.space.atomically(this.space::now);
	}

	@Override
	public void takeForeign(JobKey key, Duration period) {
		put((expiresAt) -> this.space.put(key.digest(),
				KeyLock.expiring("foreign", null, null, LeaseHolder.foreign(), 0, expiresAt)), period);
	}

	@Override
	public void releaseForeign(JobKey key) {
		this.space.atomically(() -> {
			this.space.evict(key.digest());
			return true;
		});
	}

	@Override
	public void claim(JobKey key, Duration period) {
		put((expiresAt) -> this.space.putClaim(key.digest(),
				KeyLock.expiring("direct", null, null, claimant(), 0, expiresAt)), period);
	}

	private void put(LongConsumer step, Duration period) {
		this.space.atomically(() -> {
			step.accept(this.space.now() + period.toMillis());
			return true;
		});
	}

}
