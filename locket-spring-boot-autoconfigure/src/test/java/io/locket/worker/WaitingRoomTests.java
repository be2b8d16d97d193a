package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WaitingRoom}: when the poller is to look.
 */
class WaitingRoomTests {

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final AtomicLong nanos = new AtomicLong();

	private final Object slot = new Object();

	/**
	 * Every look at the clock takes a nanosecond.
	 */
	private final WaitingRoom room = new WaitingRoom(INTERVAL, this.nanos::getAndIncrement, () -> 1);

	@Test
	void pollerLooksWhenSomethingIsDue() throws InterruptedException {
		looked(true, Duration.ofMillis(100));
		assertThat(isTime(Duration.ofMillis(99))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void pollerLooksAfterTheIntervalWhatIsDueLaterThan() throws InterruptedException {
		looked(true, INTERVAL.plusSeconds(1));
		assertThat(isTime(INTERVAL.minusMillis(1))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void laterLookTakesBackWhatIsNotDueAnyMore() throws InterruptedException {
		looked(true, Duration.ofMillis(100));
		looked(false, null);
		assertThat(isTime(INTERVAL.minusMillis(1))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	/**
	 * The answer to a look from before the job was enqueued comes after the answer to
	 * that of a slot that was told of the job.
	 */
	@Test
	void answerThatIsOlderTakesNothingBack() throws InterruptedException {
		long before = this.nanos.get();
		looked(false, Duration.ofMillis(100));
		this.room.onLooked(true, null, before);
		assertThat(isTime(Duration.ofMillis(99))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void answerThatIsOlderMayTellOfSomethingSooner() throws InterruptedException {
		long before = this.nanos.get();
		looked(true, Duration.ofMillis(200));
		this.room.onLooked(true, Duration.ofMillis(100), before);
		assertThat(isTime(Duration.ofMillis(99))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void whatIsDueAgainAndAgainIsNotAskedForWithoutAPause() throws InterruptedException {
		looked(true, Duration.ZERO);
		assertThat(isTime(Duration.ofMillis(19))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	/**
	 * The poller is woken to learn of it, and has not come yet when it is called.
	 */
	@Test
	void slotThatFindsWorkCallsAlsoThePollerThatLearnsOfSomethingSooner() throws InterruptedException {
		for (int i = 0; i < 200; i++) {
			Object finder = new Object();
			AtomicBoolean poll = new AtomicBoolean(true);
			looked(true, null);
			Thread poller = new Thread(() -> poll.set(this.room.await(this.slot)));
			poller.setDaemon(true);
			poller.start();
			while (poller.getState() != Thread.State.TIMED_WAITING) {
				Thread.onSpinWait();
			}
			looked(false, Duration.ofSeconds(30));
			this.room.onWork(finder, true);
			poller.join(10_000);
			assertThat(poller.isAlive()).as("the poller waits, in round " + i).isFalse();
			assertThat(poll).as("it was called, it is not time yet").isFalse();
		}
	}

	private void looked(boolean all, @Nullable Duration next) {
		this.room.onLooked(all, next, this.nanos.get());
	}

	/**
	 * Let time pass, and ask whether it is time to look.
	 */
	private boolean isTime(Duration later) throws InterruptedException {
		this.nanos.addAndGet(later.toNanos());
		return this.room.await(this.slot, this.nanos.get() + 100);
	}

}
