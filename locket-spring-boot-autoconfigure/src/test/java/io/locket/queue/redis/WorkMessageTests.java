package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.locket.LockStrategy;
import io.locket.queue.spi.JobQueue;
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

	private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private final QueueFixture fixture = QueueFixture.create(RedisServer.shared(), RedisServer.newNamespace());

	private final JobQueue.Listening listening = this.fixture.queue
		.listen((queue) -> this.messages.add(String.valueOf(queue)));

	private int ends;

	@BeforeEach
	void awaitSubscription() throws InterruptedException {
		assertThat(this.messages.poll(10, TimeUnit.SECONDS)).isEqualTo("null");
		enqueue("a");
		assertThat(messages()).containsExactly("a");
	}

	@AfterEach
	void close() {
		this.listening.close();
		this.fixture.close();
	}

	@Test
	void enqueueBehindReadyJobsPublishesNothing() throws InterruptedException {
		enqueue("a");
		enqueue("a", "a");
		assertThat(messages()).isEmpty();
	}

	@Test
	void enqueueIsPublishedWhenAllReadyJobsAreTaken() throws InterruptedException {
		enqueue("a");
		this.fixture.reserve(1, "a");
		enqueue("a");
		assertThat(messages()).isEmpty();
		this.fixture.reserve(2, "a");
		enqueue("a");
		assertThat(messages()).containsExactly("a");
	}

	@Test
	void bulkIsPublishedForQueuesWithoutReadyJobs() throws InterruptedException {
		enqueue("b");
		this.fixture.reserve(1, "b");
		assertThat(messages()).containsExactly("b");
		enqueue("a", "b", "a", "b");
		assertThat(messages()).containsExactly("b");
	}

	@Test
	void resumedQueueIsPublished() throws InterruptedException {
		this.fixture.store.pause("a");
		enqueue("a");
		assertThat(messages()).isEmpty();
		this.fixture.store.resume("a");
		assertThat(messages()).containsExactly("a");
	}

	private void enqueue(String... queues) {
		this.fixture.queue.enqueue(Stream.of(queues)
			.map((queue) -> QueueFixture.job(QueueFixture.newId(), queue, LockStrategy.NONE))
			.toList());
	}

	/**
	 * Returns the messages since the last call, up to that of another queue.
	 */
	private List<String> messages() throws InterruptedException {
		String last = "end" + this.ends++;
		this.fixture.queue.enqueue(QueueFixture.job(QueueFixture.newId(), last, LockStrategy.NONE));
		List<String> found = new ArrayList<>();
		String message = this.messages.poll(10, TimeUnit.SECONDS);
		while (!last.equals(message)) {
			assertThat(message).isNotNull();
			found.add(message);
			message = this.messages.poll(10, TimeUnit.SECONDS);
		}
		return found;
	}

}
