package io.locket.examples.scheduledmethods;

import java.time.Duration;

import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the example of methods with a timer in each replica, in docs/schedules.md.
 */
class ScheduledMethodExamplesTests {

	@Test
	void firingOfTwoReplicasRunsOnce() {
		ApplicationContextRunner replica = Examples.application(Timers.class, Sessions.class)
			.withPropertyValues("sessions.cron=-");
		replica.run((one) -> replica.run((two) -> {
			one.getBean(Sessions.class).deleteExpired();
			two.getBean(Sessions.class).deleteExpired();
			assertThat(one.getBean(Sessions.class).deletions()).isOne();
			assertThat(two.getBean(Sessions.class).deletions()).isZero();
			assertThat(
					two.getBean(LeaseService.class).find(two.getBean(UniqueJobs.class).keyOf("sessions.deleteExpired")))
				.get()
				.satisfies((held) -> assertThat(held.remaining()).isBetween(Duration.ofSeconds(1),
						Duration.ofSeconds(30)));
		}));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Timers {

	}

}
