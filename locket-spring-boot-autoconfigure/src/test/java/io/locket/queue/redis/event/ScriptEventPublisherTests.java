package io.locket.queue.redis.event;

import java.util.ArrayList;
import java.util.List;

import io.locket.JobState;
import io.locket.event.JobEnded;
import io.locket.event.JobEvent;
import io.locket.event.publish.JobEventPublisher;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScriptEventPublisher}.
 */
class ScriptEventPublisherTests {

	private static final int REMEMBERED = 1024;

	private final List<JobEvent> events = new ArrayList<>();

	private final ScriptEventPublisher publisher = new ScriptEventPublisher(
			new JobEventPublisher(List.of(this.events::add)));

	@Test
	void endOfARunIsPublishedOnceWhileItIsAmongTheLatest() {
		publishEnds(0, REMEMBERED);
		assertThat(this.events).hasSize(REMEMBERED)
			.allSatisfy((event) -> assertThat(event).isInstanceOfSatisfying(JobEnded.class,
					(ended) -> assertThat(ended.state()).isEqualTo(JobState.DEAD)));
		publishEnds(0, REMEMBERED);
		assertThat(this.events).hasSize(REMEMBERED);
	}

	/**
	 * Checks that the memory of a process which runs for months does not grow.
	 */
	@Test
	void oldestEndIsForgotten() {
		publishEnds(0, REMEMBERED + 1);
		publishEnds(1, REMEMBERED + 1);
		assertThat(this.events).hasSize(REMEMBERED + 1);
		publishEnds(0, 1);
		assertThat(this.events).hasSize(REMEMBERED + 2);
	}

	private void publishEnds(int from, int to) {
		for (int i = from; i < to; i++) {
			this.publisher.publish(List.of(List.of("dead", "job" + i, "job", "default", "10", "", "1", "", "nonce")));
		}
	}

}
