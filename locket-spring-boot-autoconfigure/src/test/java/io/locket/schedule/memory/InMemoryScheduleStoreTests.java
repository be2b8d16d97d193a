package io.locket.schedule.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.queue.memory.InMemoryHarness;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.TestSchedule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemoryScheduleStore} that are specific to leases in memory.
 */
class InMemoryScheduleStoreTests {

	private static final Duration TTL = Duration.ofSeconds(35);

	private final InMemoryHarness queue = new InMemoryHarness();

	private final InMemoryScheduleStore store = new InMemoryScheduleStore(this.queue.space(), this.queue.queue());

	private final InMemoryLeaseService leases = new InMemoryLeaseService(this.queue.space(),
			new LeaseSettings(TTL, Duration.ofSeconds(2), "test", false, 0), new JobKeys(),
			new JobEventPublisher(List.of()), System::nanoTime);

	/**
	 * Checks a lease of this process. It does not expire while it is held, so a test may
	 * advance the time between two firings by any duration.
	 */
	@Test
	void firingLeavesTheLeaseOfTheLeaderWithoutATimeLimit() {
		this.store.put(List.of(TestSchedule.persistent("a")), null);
		try (Lease leader = this.leases.tryAcquire("leader").orElseThrow()) {
			for (int i = 0; i < 2; i++) {
				this.queue.advance(TTL.multipliedBy(3));
				assertThat(fire(LeaseProof.of(leader))).isInstanceOf(FiringResult.Fired.class);
				assertThat(leader.isHeld()).isTrue();
			}
		}
	}

	private FiringResult fire(LeaseProof leader) {
		StoredSchedule schedule = this.store.load().schedules().get(0);
		Instant now = this.queue.now();
		return this.store.fire(leader, TTL, List.of(TestSchedule.firing(schedule, now))).results().get(0);
	}

}
