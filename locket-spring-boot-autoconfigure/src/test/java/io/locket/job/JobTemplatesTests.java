package io.locket.job;

import java.util.ArrayList;
import java.util.List;

import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.observer.JobObservers;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.argument.ArgumentCodec;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobTemplates}.
 */
class JobTemplatesTests {

	private final FailingQueue queue = new FailingQueue();

	private final List<String> watched = new ArrayList<>();

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(FailingQueue.class, () -> this.queue)
		.withBean("work", Work.class);

	@Test
	void queuesOfAllJobsAreWatched() {
		this.contextRunner.run((context) -> {
			ArgumentCodec codec = context.getBean(ArgumentCodec.class);
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			JobKeys keys = context.getBean(JobKeys.class);
			JobEnqueuer enqueuer = new JobEnqueuer(() -> this.queue, codec, 1000, false,
					context.getBean(JobObservers.class), new EnqueueGuards(List::of, new JobEventPublisher(List.of())),
					this.watched::add);
			JobTemplates templates = new JobTemplates(jobs, keys, codec, enqueuer);
			templates.job(new JobTemplate("work.run", "[1]", "fired"), "id");
			assertThat(this.watched).containsExactly("fired");
			JobTemplate triggered = new JobTemplate("work.run", "[1]", "triggered");
			assertThat(templates.enqueue(triggered, this.queue::enqueue)).isInstanceOf(Accepted.class);
			assertThat(this.watched).containsExactly("fired", "triggered");
			this.queue.replies = 0;
			assertThatExceptionOfType(QueueUnavailableException.class)
				.isThrownBy(() -> templates.enqueue(triggered, this.queue::enqueue));
			assertThat(this.watched).hasSize(2);
		});
	}

	static class Work {

		@UniqueJob
		public void run(int number) {
			throw new IllegalStateException("Unexpected run of " + number);
		}

	}

}
