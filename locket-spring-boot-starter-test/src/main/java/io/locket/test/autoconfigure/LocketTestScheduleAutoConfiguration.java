package io.locket.test.autoconfigure;

import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.schedule.Schedules;
import io.locket.schedule.firing.ScheduleRunner;
import io.locket.schedule.memory.InMemoryScheduleStore;
import io.locket.test.TestSchedules;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the firing of schedules in memory.
 */
@AutoConfiguration(after = ScheduleAutoConfiguration.class)
public final class LocketTestScheduleAutoConfiguration {

	/**
	 * Creates the leader. Its monotonic clock stands still while it fires, as that of the
	 * store does.
	 */
	@Bean
	@ConditionalOnBean({ Schedules.class, InMemoryScheduleStore.class, ScheduleRunner.class })
	TestSchedules locketTestSchedules(Schedules schedules, InMemoryScheduleStore store, ScheduleRunner task,
			InMemoryLeaseService leases) {
		return new TestSchedules(schedules, store, task.withNanoTime(() -> 0), leases);
	}

}
