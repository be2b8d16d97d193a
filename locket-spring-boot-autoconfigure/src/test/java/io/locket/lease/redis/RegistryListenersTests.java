package io.locket.lease.redis;

import java.time.Duration;

import io.locket.lease.ManualScheduler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RegistryListeners}.
 */
class RegistryListenersTests {

	private final ManualScheduler time = new ManualScheduler();

	private final RegistryListeners listeners = new RegistryListeners(false, this.time::nanoTime);

	@Test
	void oneReleaseInATenthOfASecondFindsOut() {
		assertThat(this.listeners.argument()).isEmpty();
		assertThat(this.listeners.answered(1)).isOne();
		assertThat(this.listeners.argument()).isEqualTo("0");
		this.time.advance(Duration.ofMillis(100));
		assertThat(this.listeners.argument()).isEmpty();
		assertThat(this.listeners.answered(2)).isOne();
		assertThat(this.listeners.argument()).isEqualTo("1");
	}

	@Test
	void releaseIsPublishedUntilOneHasFoundOut() {
		this.listeners.argument();
		assertThat(this.listeners.argument()).isEqualTo("1");
		assertThat(this.listeners.answered(0)).isZero();
		assertThat(this.listeners.answered(-1)).isEqualTo(-1);
		assertThat(this.listeners.argument()).isEqualTo("1");
	}

	@Test
	void releaseWithARestDoesNotFindOut() {
		this.listeners.argument();
		this.listeners.answered(2);
		assertThat(this.listeners.answered(3)).isOne();
		assertThat(this.listeners.argument()).isEqualTo("1");
	}

	@Test
	void eachReleaseIsPublishedWhereSubscribersMayBeOnOtherNodes() {
		RegistryListeners cluster = new RegistryListeners(true, this.time::nanoTime);
		assertThat(cluster.answered(2)).isOne();
		assertThat(cluster.argument()).isEqualTo("1");
	}

}
