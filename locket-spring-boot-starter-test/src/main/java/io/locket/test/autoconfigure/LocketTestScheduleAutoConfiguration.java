package io.locket.test.autoconfigure;

import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.LeaderTask;
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

	@Bean
	@ConditionalOnBean({ Schedules.class, InMemoryScheduleStore.class, LeaderTask.class })
	TestSchedules locketTestSchedules(Schedules schedules, InMemoryScheduleStore store, LeaderTask task,
			InMemoryLeaseService leases) {
		return new TestSchedules(schedules, store, task, leases);
	}

}
