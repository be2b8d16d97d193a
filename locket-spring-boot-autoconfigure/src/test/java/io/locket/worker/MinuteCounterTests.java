package io.locket.worker;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MinuteCounter}.
 */
class MinuteCounterTests {

	private final FakeJobQueue queue = new FakeJobQueue();

	private long now = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();

	private final MinuteCounter counter = new MinuteCounter(this.queue, () -> this.now, () -> 0.5);

	@Test
	void firstCallFollowsTheStart() {
		pass(10_499);
		assertThat(this.queue.minutes).hasValue(0);
		pass(1);
		assertThat(this.queue.minutes).hasValue(1);
	}

	@Test
	void nextCallIsMadeWhenTheNextMinuteHasBegun() {
		pass(10_500);
		pass(50_499);
		assertThat(this.queue.minutes).hasValue(1);
		pass(1);
		assertThat(this.queue.minutes).hasValue(2);
		pass(0);
		assertThat(this.queue.minutes).hasValue(2);
	}

	@Test
	void callWithoutAReplyIsMadeAgainAMinuteLater() {
		this.queue.failing.set(1);
		pass(10_500);
		pass(60_499);
		assertThat(this.queue.minutes).hasValue(1);
		this.queue.failing.set(0);
		pass(1);
		assertThat(this.queue.minutes).hasValue(2);
	}

	private void pass(long millis) {
		this.now += Duration.ofMillis(millis).toNanos();
		this.counter.run();
	}

}
