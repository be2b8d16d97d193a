package io.locket.dashboard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.schedule.leader.LeaderLeases;
import io.locket.schedule.memory.InMemoryScheduleStore;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Queues and leases in memory.
 */
@Configuration(proxyBeanMethods = false)
public class InMemoryLocket {

	@Bean
	ShiftedClock clock() {
		return new ShiftedClock();
	}

	@Bean
	LockSpace space(ShiftedClock clock) {
		return new LockSpace(clock);
	}

	@Bean
	InMemoryLeaseService leases(LockSpace space, LeaseSettings settings, JobKeys keys, JobEventPublisher events) {
		return new InMemoryLeaseService(space, settings, keys, events, System::nanoTime);
	}

	@Bean
	InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
		return new InMemoryJobQueue(space, 1, events);
	}

	@Bean
	LeaderLeases leaderLeases(InMemoryLeaseService leases) {
		return LeaderLeases.shared(leases);
	}

	@Bean
	InMemoryScheduleStore schedules(LockSpace space, InMemoryJobQueue queue) {
		return new InMemoryScheduleStore(space, queue);
	}

	/**
	 * Clock of the system that a test may advance.
	 */
	public static final class ShiftedClock extends Clock {

		private volatile Duration shift = Duration.ZERO;

		@Override
		public Instant instant() {
			return Instant.now().plus(this.shift);
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException();
		}

		public void advance(Duration time) {
			this.shift = this.shift.plus(time);
		}

	}

}
