package io.locket.test;

import java.util.Optional;

import io.locket.job.EnqueueGuard;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs that a guard refuses.
 */
@LocketTest
@Import(GuardedEnqueueTests.GuardConfiguration.class)
class GuardedEnqueueTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@Test
	void refusedJobDoesNotReachTheQueueAndIsNotRecorded() {
		assertThat(this.jobs.enqueue("billing.send", "refused")).isInstanceOf(EnqueueResult.Refused.class);
		assertThat(this.jobs.enqueue("billing.export", "2026-05")).isInstanceOf(EnqueueResult.Accepted.class);
		assertThat(this.locket).hasNotEnqueued("billing.send").hasEnqueuedTimes(1);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class GuardConfiguration {

		@Bean
		EnqueueGuard noMails() {
			return (job) -> job.job().equals("billing.send") ? Optional.of("No mails today") : Optional.empty();
		}

	}

}
