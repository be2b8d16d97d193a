package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QuietFilter}.
 */
class QuietFilterTests {

	private static final List<String> QUEUES = List.of("a", "b");

	private final FakeJobQueue queue = new FakeJobQueue();

	private final AtomicInteger resumed = new AtomicInteger();

	private long now = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();

	private final QuietFilter filter = new QuietFilter(this.queue, "instance", () -> this.now,
			this.resumed::incrementAndGet, false);

	@Test
	void notificationMakesTheFilterReadTheMark() {
		this.queue.quiet.set(true);
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
		this.filter.onNotification();
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEmpty();
	}

	@Test
	void notificationDuringAReadMakesTheFilterReadTheMarkAgain() {
		this.queue.onQuietRead = () -> {
			this.queue.quiet.set(true);
			this.filter.onNotification();
		};
		this.filter.onNotification();
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEmpty();
	}

	@Test
	void lostNotificationIsMadeUpWithinAMinute() {
		this.queue.quiet.set(true);
		pass(59);
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
		pass(1);
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		this.queue.quiet.set(false);
		pass(60);
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
	}

	@Test
	void resumedWorkersAreWokenOnce() {
		pass(60);
		assertThat(this.resumed).hasValue(0);
		this.queue.quiet.set(true);
		pass(60);
		this.queue.quiet.set(false);
		pass(60);
		pass(60);
		assertThat(this.resumed).hasValue(1);
	}

	@Test
	void workersStayQuietWhileTheStoreDoesNotReply() {
		this.queue.quiet.set(true);
		pass(60);
		this.queue.failing.set(1);
		this.queue.quiet.set(false);
		pass(60);
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		this.queue.failing.set(0);
		pass(4);
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		pass(1);
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
	}

	@Test
	void heldFilterLeavesOutAllQueuesUntilTheMarkWasRead() {
		this.filter.hold();
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		this.queue.failing.set(1);
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		assertThat(this.filter.isQuiet()).isFalse();
		this.queue.failing.set(0);
		this.filter.onNotification();
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
		assertThat(this.resumed).hasValue(1);
	}

	@Test
	void holdDuringAReadLastsUntilTheNextOne() {
		this.queue.onQuietRead = () -> {
			this.queue.quiet.set(true);
			this.filter.hold();
		};
		this.filter.onNotification();
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		assertThat(this.filter.isQuiet()).isFalse();
		this.queue.onQuietRead = () -> {
		};
		this.filter.run();
		assertThat(this.filter.isQuiet()).isTrue();
		this.queue.quiet.set(false);
		pass(60);
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
		assertThat(this.resumed).hasValue(1);
	}

	@Test
	void resumptionDuringAHoldWakesTheWorkersAfterIt() {
		this.queue.quiet.set(true);
		pass(60);
		this.queue.quiet.set(false);
		this.queue.onQuietRead = this.filter::hold;
		pass(60);
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		assertThat(this.resumed).hasValue(0);
		this.queue.onQuietRead = () -> {
		};
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEqualTo(QUEUES);
		assertThat(this.resumed).hasValue(1);
	}

	@Test
	void heldFilterOfAQuietProcessStaysClosed() {
		this.queue.quiet.set(true);
		this.filter.hold();
		this.filter.run();
		assertThat(this.filter.filter(QUEUES)).isEmpty();
		assertThat(this.resumed).hasValue(0);
	}

	private void pass(long seconds) {
		this.now += Duration.ofSeconds(seconds).toNanos();
		this.filter.run();
	}

}
