package io.locket.examples.delayed;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.locket.examples.Examples;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult.Accepted;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/delayed.md.
 */
class DelayedExamplesTests {

	@Test
	void delayedJobsAreEnqueuedListedAndUpdated() {
		Examples.application(Mail.class, Reminders.class)
			.withPropertyValues("locket.worker.enabled=false")
			.run((context) -> {
				Reminders reminders = context.getBean(Reminders.class);
				Instant midnight = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.DAYS);
				reminders.enqueue(1, midnight);
				assertThat(reminders.look(midnight)).isEqualTo("3 2 true true 2 0 2 3 2 1");
				Accepted other = (Accepted) context.getBean(Jobs.class)
					.enqueue(EnqueueOptions.in(Duration.ofDays(7)), "mail.remind", 2, "news");
				context.getBean(Jobs.class).enqueue(EnqueueOptions.in(Duration.ofDays(7)), "mail.remind", 3, "news");
				assertThat(reminders.update(1, other.id(), midnight)).isEqualTo("true CANCELLED REFUSED 1 1 1 1 1");
			});
	}

}
