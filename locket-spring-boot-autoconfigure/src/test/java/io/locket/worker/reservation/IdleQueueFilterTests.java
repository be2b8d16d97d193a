package io.locket.worker.reservation;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdleQueueFilter}.
 */
class IdleQueueFilterTests {

	private static final List<String> QUEUES = List.of("a", "b", "c");

	private final IdleQueueFilter idle = new IdleQueueFilter();

	@Test
	void idleQueueIsLeftOutUntilAPublication() {
		this.idle.onReply(this.idle.moment(), QUEUES, Set.of("a", "c"));
		assertThat(this.idle.filter(QUEUES)).containsExactly("b");
		this.idle.onNotification("a");
		assertThat(this.idle.filter(QUEUES)).containsExactly("a", "b");
		this.idle.onNotification(null);
		assertThat(this.idle.filter(QUEUES)).isEqualTo(QUEUES);
	}

	@Test
	void publicationThatIsNewerThanTheReplyCounts() {
		long moment = this.idle.moment();
		this.idle.onNotification("a");
		this.idle.onReply(moment, QUEUES, Set.of("a", "b"));
		assertThat(this.idle.filter(QUEUES)).containsExactly("a", "c");
		moment = this.idle.moment();
		this.idle.onNotification(null);
		this.idle.onReply(moment, QUEUES, Set.of("a", "b", "c"));
		assertThat(this.idle.filter(QUEUES)).isEqualTo(QUEUES);
	}

	@Test
	void replyThatShowsWorkEndsIdleness() {
		this.idle.onReply(this.idle.moment(), QUEUES, Set.of("a", "b", "c"));
		this.idle.onReply(this.idle.moment(), List.of("b"), Set.of());
		assertThat(this.idle.filter(QUEUES)).containsExactly("b");
	}

}
