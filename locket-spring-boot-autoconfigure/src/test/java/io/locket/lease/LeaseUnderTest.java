package io.locket.lease;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.event.JobEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.lease.redis.LeaseFixture;

/**
 * Implementations of {@link LeaseService} that must pass the same tests.
 */
enum LeaseUnderTest {

	MEMORY(InMemory::new), REDIS(InRedis::new);

	private final Supplier<LeaseHarness> factory;

	LeaseUnderTest(Supplier<LeaseHarness> factory) {
		this.factory = factory;
	}

	LeaseHarness create() {
		return this.factory.get();
	}

	private static final class InMemory implements LeaseHarness {

		private final List<JobEvent> events = new CopyOnWriteArrayList<>();

		private final LockSpace space = new LockSpace(Clock.systemUTC());

		private final InMemoryLeaseService service = new InMemoryLeaseService(this.space,
				new LeaseSettings(Duration.ofSeconds(35), Duration.ofSeconds(2), "test/1/a", false, 0),
				LeaseFixture.JOB_KEYS, new JobEventPublisher(List.of(this.events::add)), System::nanoTime);

		@Override
		public LeaseService service() {
			return this.service;
		}

		@Override
		public List<JobEvent> events() {
			return this.events;
		}

		@Override
		public void vanish(JobKey key) {
			this.space.atomically(() -> {
				this.space.evict(key.digest());
				return true;
			});
		}

		@Override
		public void close() {
			this.service.close();
		}

	}

	private static final class InRedis implements LeaseHarness {

		private final LeaseFixture fixture = LeaseFixture.create();

		@Override
		public LeaseService service() {
			return this.fixture.service;
		}

		@Override
		public List<JobEvent> events() {
			return this.fixture.events;
		}

		@Override
		public void vanish(JobKey key) {
			this.fixture.redis.delete(this.fixture.keys.lock(key.digest()));
		}

		@Override
		public void close() {
			this.fixture.close();
		}

	}

}
