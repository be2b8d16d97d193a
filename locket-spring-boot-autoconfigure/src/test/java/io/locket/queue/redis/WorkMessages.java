package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.locket.LockStrategy;
import io.locket.queue.spi.JobQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages by which the workers of a {@link QueueFixture} are notified.
 */
final class WorkMessages implements AutoCloseable {

	private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private final QueueFixture fixture;

	private final JobQueue.Listening listening;

	private int calls;

	/**
	 * Creates an instance that has subscribed.
	 */
	WorkMessages(QueueFixture fixture) throws InterruptedException {
		this.fixture = fixture;
		this.listening = fixture.queue.listen((queue) -> this.messages.add(String.valueOf(queue)));
		// The first message says that the subscription has begun.
		assertThat(this.messages.poll(10, TimeUnit.SECONDS)).isEqualTo("null");
	}

	/**
	 * Returns the queues that workers were notified of since the last call, before that
	 * of a job which is enqueued now.
	 */
	List<String> untilNow() throws InterruptedException {
		String last = "last" + ++this.calls;
		this.fixture.queue.enqueue(QueueFixture.job(last, last, LockStrategy.NONE));
		List<String> before = new ArrayList<>();
		String message = this.messages.poll(10, TimeUnit.SECONDS);
		while (!last.equals(message)) {
			assertThat(message).isNotNull();
			before.add(message);
			message = this.messages.poll(10, TimeUnit.SECONDS);
		}
		return before;
	}

	@Override
	public void close() {
		this.listening.close();
	}

}
