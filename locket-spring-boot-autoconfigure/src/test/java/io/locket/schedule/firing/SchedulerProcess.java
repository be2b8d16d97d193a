package io.locket.schedule.firing;

import java.util.Scanner;

import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.schedule.leader.Leadership;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Application in its own process, which takes part in the election of a leader and has no
 * worker. It replies to each request with a line, and stops gracefully at the end of its
 * input.
 */
final class SchedulerProcess {

	private SchedulerProcess() {
	}

	/**
	 * Returns the runner of an application of the fleet.
	 */
	static ApplicationContextRunner application(String host, String port, String namespace) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class,
					UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class, LeaderAutoConfiguration.class,
					ScheduleAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=" + host, "spring.data.redis.port=" + port,
					"locket.namespace=" + namespace, "locket.redis.command-timeout=600ms",
					"locket.lease.heartbeat=500ms", "locket.leader.enabled=true",
					"locket.leader.ttl=" + ScheduleFleetTests.TTL.toMillis() + "ms",
					"locket.leader.misfire-after=" + ScheduleFleetTests.MISFIRE_AFTER.toMillis() + "ms")
			.withBean(Ticks.class);
	}

	static void main(String[] args) {
		application(args[0], args[1], args[2]).run(SchedulerProcess::serve);
		System.exit(0);
	}

	private static void serve(ApplicationContext context) {
		Leadership leadership = context.getBean(Leadership.class);
		System.out.println("ready");
		Scanner lines = new Scanner(System.in);
		while (lines.hasNextLine()) {
			switch (lines.nextLine()) {
				case "clock" -> System.out.println("clock " + System.currentTimeMillis());
				case "leads" -> System.out.println("leads " + leadership.isLeader());
				default -> {
					return;
				}
			}
		}
	}

	static class Ticks {

		@UniqueJob(name = "tick", lock = LockStrategy.NONE)
		public void tick() {
			throw new IllegalStateException("There is no worker");
		}

	}

}
