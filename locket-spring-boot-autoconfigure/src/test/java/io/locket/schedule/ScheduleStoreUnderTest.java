package io.locket.schedule;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.locket.LeaseHolder;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.QueueHarness;
import io.locket.queue.TestJob;
import io.locket.queue.memory.InMemoryHarness;
import io.locket.queue.redis.QueueExtension;
import io.locket.queue.redis.RedisQueueHarness;
import io.locket.schedule.memory.InMemoryScheduleStore;
import io.locket.schedule.redis.RedisScheduleStore;

import org.springframework.test.util.ReflectionTestUtils;

/**
 * Implementations of {@link ScheduleStore} that have to pass the same tests.
 */
public enum ScheduleStoreUnderTest {

	MEMORY(InMemory::new), REDIS(() -> inRedis(UnaryOperator.identity()));

	private final Supplier<ScheduleHarness> factory;

	ScheduleStoreUnderTest(Supplier<ScheduleHarness> factory) {
		this.factory = factory;
	}

	public ScheduleHarness create() {
		return this.factory.get();
	}

	/**
	 * Creates a store in Redis.
	 * @param change the change of the extension that enqueues its jobs
	 */
	public static ScheduleHarness inRedis(UnaryOperator<QueueExtension> change) {
		return new InRedis(change);
	}

	private static String digest(String name) {
		return TestJob.key(name).digest();
	}

	private static final class InMemory implements ScheduleHarness {

		private final InMemoryHarness queue = new InMemoryHarness();

		private final InMemoryScheduleStore store = new InMemoryScheduleStore(this.queue.space(), this.queue.queue());

		@Override
		public ScheduleStore store() {
			return this.store;
		}

		@Override
		public QueueHarness queue() {
			return this.queue;
		}

		@Override
		public LeaseProof hold(String name, Duration period) {
			return this.queue.space().atomically(() -> {
				long fence = this.queue.space().nextFence();
				this.queue.space()
					.put(digest(name),
							KeyLock.expiring("token-" + fence, null, null,
									new LeaseHolder(name, "main", this.queue.now(), fence), this.queue.space().now(),
									this.queue.space().now() + period.toMillis()));
				return new LeaseProof(digest(name), fence);
			});
		}

		@Override
		public void release(LeaseProof proof) {
			this.queue.space().atomically(() -> {
				this.queue.space().evict(proof.digest());
				return true;
			});
		}

		@Override
		@SuppressWarnings("unchecked")
		public Runnable backup() {
			Map<String, Object> records = (Map<String, Object>) ReflectionTestUtils.getField(this.store, "entries");
			Map<String, Object> before = new TreeMap<>(records);
			return () -> {
				records.clear();
				records.putAll(before);
			};
		}

		@Override
		public void close() {
			this.queue.close();
		}

	}

	private static final class InRedis implements ScheduleHarness {

		private final RedisQueueHarness queue = new RedisQueueHarness();

		private final QueueExtension extension = this.queue.extension();

		private final RedisScheduleStore store;

		private long fence = 1_700_000_000_000_001L;

		InRedis(UnaryOperator<QueueExtension> change) {
			this.store = new RedisScheduleStore(change.apply(this.extension));
		}

		@Override
		public ScheduleStore store() {
			return this.store;
		}

		@Override
		public QueueHarness queue() {
			return this.queue;
		}

		@Override
		public LeaseProof hold(String name, Duration period) {
			this.fence++;
			this.queue.hold(digest(name), this.fence, period);
			return new LeaseProof(digest(name), this.fence);
		}

		@Override
		public void release(LeaseProof proof) {
			this.queue.release(proof.digest());
		}

		@Override
		public Runnable backup() {
			return this.queue.backup("schedules");
		}

		@Override
		public void close() {
			this.extension.close();
			this.queue.close();
		}

	}

}
