package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreClock}.
 */
class StoreClockTests {

	private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

	private final TestProcess.HandClock ticker = new TestProcess.HandClock();

	private final StoreClock clock = new StoreClock(this.ticker);

	/**
	 * Updates the clock with a reply that has taken a time.
	 */
	private boolean learn(Instant time, Duration way) {
		long askedAt = this.ticker.getAsLong();
		this.ticker.advance(way);
		return this.clock.learn(time, askedAt);
	}

	private static Duration millis(long millis) {
		return Duration.ofMillis(millis);
	}

	@Test
	void timeIsThatOfTheReplyAndWhatHasPassedSince() {
		learn(NOON, Duration.ZERO);
		assertThat(this.clock.now()).isEqualTo(NOON);
		this.ticker.advance(Duration.ofNanos(1_999_999));
		assertThat(this.clock.now()).isEqualTo(NOON.plusMillis(1));
		assertThat(this.clock.until(NOON.plusMillis(2))).isEqualTo(Duration.ofNanos(1));
		this.ticker.advance(Duration.ofNanos(1));
		assertThat(this.clock.now()).isEqualTo(NOON.plusMillis(2));
		assertThat(this.clock.until(NOON.plusMillis(1))).isEqualTo(millis(-1));
	}

	@Test
	void replyThatTookLongIsNeverAheadOfTheStore() {
		learn(NOON, millis(400));
		assertThat(this.clock.now()).isEqualTo(NOON);
	}

	@Test
	void quickReplyCorrectsTheDoubtOfASlowOne() {
		learn(NOON, millis(400));
		assertThat(learn(NOON.plusMillis(400), millis(2))).isFalse();
		assertThat(this.clock.now()).isEqualTo(NOON.plusMillis(400));
	}

	@Test
	void slowReplySpoilsNothing() {
		learn(NOON, Duration.ZERO);
		this.ticker.advance(millis(10));
		assertThat(learn(NOON.plusMillis(10), millis(3000))).isFalse();
		assertThat(this.clock.now()).isEqualTo(NOON.plusMillis(3010));
	}

	@Test
	void clockThatWasPutForwardIsFollowed() {
		learn(NOON, Duration.ZERO);
		assertThat(learn(NOON.plusSeconds(90), Duration.ZERO)).isFalse();
		assertThat(this.clock.now()).isEqualTo(NOON.plusSeconds(90));
	}

	@Test
	void clockThatWasSetBackIsFollowedAndReported() {
		learn(NOON, Duration.ZERO);
		assertThat(learn(NOON.minusSeconds(90), Duration.ZERO)).isTrue();
		assertThat(this.clock.now()).isEqualTo(NOON.minusSeconds(90));
		assertThat(learn(NOON.minusSeconds(90), Duration.ZERO)).isFalse();
	}

	@Test
	void clockThatLagsALittleIsFollowed() {
		learn(NOON, Duration.ZERO);
		this.ticker.advance(millis(100));
		assertThat(learn(NOON.plusMillis(99), Duration.ZERO)).isFalse();
		assertThat(this.clock.now()).isEqualTo(NOON.plusMillis(99));
	}

}
