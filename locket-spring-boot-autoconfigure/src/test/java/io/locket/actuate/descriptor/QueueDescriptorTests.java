package io.locket.actuate.descriptor;

import java.time.Duration;
import java.util.Map;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QueueDescriptor}.
 */
class QueueDescriptorTests {

	@Test
	void eachCountIsInItsOwnComponent() {
		QueueCounts counts = new QueueCounts(
				"mail", true, 1, 2, 3, Map.of(JobState.SCHEDULED, 4L, JobState.READY, 5L, JobState.PARKED, 6L,
						JobState.RETRY, 7L, JobState.RUNNING, 8L, JobState.SUCCEEDED, 9L, JobState.DEAD, 10L),
				11, 12, 13);
		QueueDescriptor queue = QueueDescriptor.of(counts, Duration.ofSeconds(14));
		assertThat(queue.queue()).isEqualTo("mail");
		assertThat(queue.paused()).isTrue();
		assertThat(queue.accepted()).isEqualTo(1);
		assertThat(queue.movedIn()).isEqualTo(2);
		assertThat(queue.movedOut()).isEqualTo(3);
		assertThat(queue.scheduled()).isEqualTo(4);
		assertThat(queue.ready()).isEqualTo(5);
		assertThat(queue.parked()).isEqualTo(6);
		assertThat(queue.retry()).isEqualTo(7);
		assertThat(queue.running()).isEqualTo(8);
		assertThat(queue.ended()).containsEntry(JobState.SUCCEEDED, 9L)
			.containsEntry(JobState.DEAD, 10L)
			.doesNotContainKeys(JobState.READY, JobState.RUNNING);
		assertThat(queue.deadLetters()).isEqualTo(11);
		assertThat(queue.unreadable()).isEqualTo(12);
		assertThat(queue.lost()).isEqualTo(13);
		assertThat(queue.oldestWaitingMs()).isEqualTo(14_000);
	}

}
