package io.locket.examples.howto.moving;

import java.time.Duration;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.EnqueueResult.Duplicate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/how-to/move-queues.md.
 */
class MovingTests {

	@Test
	void waitingJobsMoveWithTheirTicketsAndDueTimes() {
		Examples.application(Mail.class, QueueMove.class)
			.withPropertyValues("locket.worker.enabled=false")
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				JobAdministration administration = context.getBean(JobAdministration.class);
				QueueMove move = context.getBean(QueueMove.class);
				jobs.enqueue(EnqueueOptions.now().queue("mail"), "mail.send", 1);
				jobs.enqueue(EnqueueOptions.in(Duration.ofDays(1)).queue("mail"), "mail.send", 2);
				assertThat(move.isDrained("mail")).isFalse();
				assertThat(move.moveAll()).isEqualTo(2);
				assertThat(move.isDrained("mail")).isTrue();
				assertThat(administration.counts("messages").in(JobState.READY)).isEqualTo(1);
				assertThat(administration.counts("messages").in(JobState.SCHEDULED)).isEqualTo(1);
				assertThat(jobs.enqueue("mail.send", 1)).isInstanceOf(Duplicate.class);
			});
	}

	@Test
	void configurationServesBothQueues() {
		Examples.application(Mail.class, QueueMove.class)
			.withInitializer(Examples.configurationOf("docs/how-to/move-queues.md"))
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				jobs.enqueue(EnqueueOptions.now().queue("mail"), "mail.send", 1);
				jobs.enqueue("mail.send", 2);
				QueueMove move = context.getBean(QueueMove.class);
				await().until(() -> move.isDrained("mail") && move.isDrained("messages"));
			});
	}

}
