package io.locket.lease.redis;

import java.time.Duration;

import io.locket.lease.ManualScheduler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RegistryListeners}.
 */
class RegistryListenersTests {

	private static final String ASKS = "";

	private static final String LISTENING = "1";

	private static final String SILENT = "0";

	private final ManualScheduler time = new ManualScheduler();

	private final RegistryListeners listeners = new RegistryListeners(false, this.time::nanoTime);

	@Test
	void oneReleaseInATenthOfASecondFindsOut() {
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		assertThat(this.listeners.onReply(ASKS, 1)).isOne();
		assertThat(this.listeners.argument()).isEqualTo(SILENT);
		this.time.advance(Duration.ofMillis(100));
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		assertThat(this.listeners.onReply(ASKS, 2)).isOne();
		assertThat(this.listeners.argument()).isEqualTo(LISTENING);
	}

	@Test
	void releaseIsPublishedUntilOneHasFoundOut() {
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		assertThat(this.listeners.argument()).isEqualTo(LISTENING);
		assertThat(this.listeners.onReply(LISTENING, 2)).isOne();
		assertThat(this.listeners.argument()).isEqualTo(LISTENING);
	}

	@Test
	void nextReleaseChecksAfterOneWithoutAResult() {
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		assertThat(this.listeners.onReply(ASKS, 0)).isZero();
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		assertThat(this.listeners.onReply(ASKS, -1)).isEqualTo(-1);
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		// A release with a rest.
		assertThat(this.listeners.onReply(ASKS, 3)).isOne();
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		assertThat(this.listeners.argument()).isEqualTo(LISTENING);
	}

	@Test
	void replyToAReleaseThatDidNotAskChangesNothing() {
		this.listeners.argument();
		this.listeners.onReply(ASKS, 1);
		assertThat(this.listeners.argument()).isEqualTo(SILENT);
		this.time.advance(Duration.ofMillis(100));
		assertThat(this.listeners.argument()).isEqualTo(ASKS);
		this.listeners.onReply(ASKS, 2);
		assertThat(this.listeners.onReply(SILENT, 1)).isOne();
		assertThat(this.listeners.argument()).isEqualTo(LISTENING);
		assertThat(this.listeners.onReply(LISTENING, 3)).isOne();
		assertThat(this.listeners.argument()).isEqualTo(LISTENING);
	}

	@Test
	void eachReleaseIsPublishedWhereSubscribersMayBeOnOtherNodes() {
		RegistryListeners cluster = new RegistryListeners(true, this.time::nanoTime);
		assertThat(cluster.onReply(LISTENING, 2)).isOne();
		assertThat(cluster.argument()).isEqualTo(LISTENING);
	}

}
