package io.locket.queue.redis;

import java.util.stream.Stream;

import io.locket.LockStrategy;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the messages by which an enqueue notifies workers. They take jobs until a
 * queue has none, so only the first ready job of a queue needs a message.
 */
class WorkMessageTests {

	private final QueueFixture fixture = QueueFixture.create(RedisServer.shared(), RedisServer.newNamespace());

	private WorkMessages messages;

	@BeforeEach
	void listen() throws InterruptedException {
		this.messages = new WorkMessages(this.fixture);
		enqueue("a");
		assertThat(this.messages.untilNow()).containsExactly("a");
	}

	@AfterEach
	void close() {
		this.messages.close();
		this.fixture.close();
	}

	@Test
	void enqueueBehindReadyJobsPublishesNothing() throws InterruptedException {
		enqueue("a");
		enqueue("a", "a");
		assertThat(this.messages.untilNow()).isEmpty();
	}

	@Test
	void enqueueIsPublishedWhenAllReadyJobsAreTaken() throws InterruptedException {
		enqueue("a");
		this.fixture.reserve(1, "a");
		enqueue("a");
		assertThat(this.messages.untilNow()).isEmpty();
		this.fixture.reserve(2, "a");
		enqueue("a");
		assertThat(this.messages.untilNow()).containsExactly("a");
	}

	@Test
	void bulkIsPublishedForQueuesWithoutReadyJobs() throws InterruptedException {
		enqueue("b");
		this.fixture.reserve(1, "b");
		assertThat(this.messages.untilNow()).containsExactly("b");
		enqueue("a", "b", "a", "b");
		assertThat(this.messages.untilNow()).containsExactly("b");
	}

	@Test
	void resumedQueueIsPublished() throws InterruptedException {
		this.fixture.store.pause("a");
		enqueue("a");
		assertThat(this.messages.untilNow()).isEmpty();
		this.fixture.store.resume("a");
		assertThat(this.messages.untilNow()).containsExactly("a");
	}

	private void enqueue(String... queues) {
		this.fixture.queue.enqueue(Stream.of(queues)
			.map((queue) -> QueueFixture.job(QueueFixture.newId(), queue, LockStrategy.NONE))
			.toList());
	}

}
