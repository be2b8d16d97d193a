package io.locket.queue.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.event.WorkersQuieted;
import io.locket.event.WorkersResumed;
import io.locket.queue.TestJob;
import io.locket.queue.WorkerInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for quiet workers.
 */
class QuietTests extends AbstractQueueTests {

	@Test
	void processIsQuietUntilItIsResumed() {
		assertThat(this.queue.refreshQuiet("host/1/a", false)).isFalse();
		assertThat(this.store.quiet("host/1/a")).isTrue();
		assertThat(this.store.quiet("host/1/a")).isFalse();
		assertThat(this.queue.refreshQuiet("host/1/a", false)).isTrue();
		assertThat(this.queue.refreshQuiet("host/1/b", false)).isFalse();
		assertThat(this.store.unquiet("host/1/a")).isTrue();
		assertThat(this.store.unquiet("host/1/a")).isFalse();
		assertThat(this.queue.refreshQuiet("host/1/a", false)).isFalse();
	}

	@Test
	void changesAreEvents() {
		this.store.quiet("host/1/a");
		this.store.quiet("host/1/a");
		this.store.unquiet("host/1/a");
		this.store.unquiet("host/1/a");
		assertThat(this.harness.events()).containsExactly(new WorkersQuieted("host/1/a"),
				new WorkersResumed("host/1/a"));
	}

	@Test
	void workersAreListedAsQuiet() {
		this.user.enqueue(TestJob.of("a"));
		this.user.take();
		String instance = this.user.find("a").instance();
		assertThat(this.store.workers()).extracting(WorkerInfo::quiet).containsExactly(false);
		this.store.quiet(instance);
		assertThat(this.store.workers()).extracting(WorkerInfo::quiet).containsExactly(true);
	}

	@Test
	void listenersAreNotified() {
		List<@Nullable String> notified = new ArrayList<>();
		try (JobQueue.Listening listening = this.queue.listen((queue) -> {
			synchronized (notified) {
				notified.add(queue);
			}
		})) {
			// The subscription may begin after the first job, and a job behind others is
			// not
			// notified.
			await().until(() -> {
				this.user.enqueue(TestJob.of("job" + System.nanoTime()));
				this.user.succeed(this.user.take());
				synchronized (notified) {
					return notified.contains("q");
				}
			});
			synchronized (notified) {
				notified.clear();
			}
			this.store.quiet("host/1/a");
			await().until(() -> {
				synchronized (notified) {
					return notified.contains(null);
				}
			});
		}
	}

	@Test
	void processThatReadsItsMarkStaysQuiet() {
		this.store.quiet("host/1/a");
		for (int i = 0; i < 3; i++) {
			this.harness.advance(Duration.ofMinutes(50));
			this.user.serve();
			assertThat(this.queue.refreshQuiet("host/1/a", false)).isTrue();
		}
	}

	@Test
	void quietProcessWhoseMarkIsLostStaysQuiet() {
		assertThat(this.queue.refreshQuiet("host/1/a", true)).isTrue();
		assertThat(this.queue.refreshQuiet("host/1/a", false)).isTrue();
		assertThat(this.queue.refreshQuiet("host/1/b", false)).isFalse();
	}

	@Test
	void quietProcessIsResumedWhenItsMarkWasLost() {
		assertThat(this.store.unquiet("host/1/a")).isFalse();
		assertThat(this.queue.refreshQuiet("host/1/a", true)).isFalse();
		assertThat(this.queue.refreshQuiet("host/1/a", true)).isFalse();
		assertThat(this.store.quiet("host/1/a")).isTrue();
		assertThat(this.queue.refreshQuiet("host/1/a", false)).isTrue();
	}

}
