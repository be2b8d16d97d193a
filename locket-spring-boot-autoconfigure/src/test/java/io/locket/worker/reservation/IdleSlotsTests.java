package io.locket.worker.reservation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdleSlots}: the times of polls.
 */
class IdleSlotsTests {

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final AtomicLong nanos = new AtomicLong();

	private final Object slot = new Object();

	/**
	 * Each read of the clock advances it by a nanosecond.
	 */
	private final IdleSlots idleSlots = new IdleSlots(INTERVAL, this.nanos::getAndIncrement, () -> 1);

	@Test
	void pollerPollsWhenSomethingIsDue() throws InterruptedException {
		polled(true, Duration.ofMillis(100));
		assertThat(isTime(Duration.ofMillis(99))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void pollerPollsAfterTheIntervalWhenNothingIsDueEarlier() throws InterruptedException {
		polled(true, INTERVAL.plusSeconds(1));
		assertThat(isTime(INTERVAL.minusMillis(1))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void pollerPollsAfterTheIntervalWhenTheNextIsDueInManyCenturies() throws InterruptedException {
		polled(true, Duration.ofDays(1_000_000));
		assertThat(isTime(INTERVAL.minusSeconds(1))).isFalse();
		assertThat(isTime(Duration.ofSeconds(1))).isTrue();
	}

	@Test
	void laterPollTakesBackWhatIsNotDueAnyMore() throws InterruptedException {
		polled(true, Duration.ofMillis(100));
		polled(false, null);
		assertThat(isTime(INTERVAL.minusMillis(1))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	/**
	 * The reply to a poll from before the job was enqueued arrives after the reply to a
	 * slot that was notified of the job.
	 */
	@Test
	void olderReplyTakesNothingBack() throws InterruptedException {
		long before = this.nanos.get();
		polled(false, Duration.ofMillis(100));
		this.idleSlots.onPolled(true, null, before);
		assertThat(isTime(Duration.ofMillis(99))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void olderReplyMayHaveAnEarlierDueTime() throws InterruptedException {
		long before = this.nanos.get();
		polled(true, Duration.ofMillis(200));
		this.idleSlots.onPolled(true, Duration.ofMillis(100), before);
		assertThat(isTime(Duration.ofMillis(99))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void repeatedDueTimesAreNotPolledWithoutAPause() throws InterruptedException {
		polled(true, Duration.ZERO);
		assertThat(isTime(Duration.ofMillis(19))).isFalse();
		assertThat(isTime(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void waitingPollerPollsWhenSomethingTurnsOutToBeDueEarlier() throws InterruptedException {
		polled(true, null);
		AtomicReference<Wake> wake = new AtomicReference<>();
		Thread poller = waiter(INTERVAL.multipliedBy(2), wake);
		polled(false, Duration.ofMillis(50));
		this.nanos.addAndGet(Duration.ofMillis(50).toNanos());
		poller.join(10_000);
		assertThat(wake).hasValue(Wake.POLL_DUE);
	}

	/**
	 * The poller is woken by an earlier due time, and has not run yet when it is called.
	 */
	@Test
	void slotThatFindsWorkCallsAlsoThePollerThatLearnsOfSomethingSooner() throws InterruptedException {
		for (int i = 0; i < 200; i++) {
			Object finder = new Object();
			AtomicReference<Wake> wake = new AtomicReference<>();
			polled(true, null);
			Thread poller = new Thread(() -> wake.set(this.idleSlots.await(this.slot)));
			poller.setDaemon(true);
			poller.start();
			while (poller.getState() != Thread.State.TIMED_WAITING) {
				Thread.onSpinWait();
			}
			polled(false, Duration.ofSeconds(30));
			this.idleSlots.onWork(finder, true);
			poller.join(10_000);
			assertThat(poller.isAlive()).as("the poller waits, in round " + i).isFalse();
			assertThat(wake).as("it was called, it is not time yet").hasValue(Wake.NOTIFIED);
		}
	}

	/**
	 * The reply that sends a slot here may be older than the work that another one has
	 * found.
	 */
	@Test
	void slotThatFindsMoreWorkCallsTheNextSlotToCome() {
		polled(true, null);
		this.idleSlots.onWork(new Object(), true);
		assertThat(CompletableFuture.supplyAsync(() -> this.idleSlots.await(this.slot)))
			.as("it was called, it is not time yet")
			.succeedsWithin(Duration.ofSeconds(10))
			.isEqualTo(Wake.NOTIFIED);
	}

	/**
	 * The poller leaves, and wakes the first waiter. The deadline of this one has passed
	 * before it runs, so the second one has to poll.
	 */
	@Test
	void waiterWithAPassedDeadlinePassesThePollOn() throws InterruptedException {
		polled(true, Duration.ZERO);
		assertThat(isTime(Duration.ofSeconds(1))).as("this slot polls").isTrue();
		polled(true, null);
		Thread first = waiter(Duration.ofMinutes(10), new AtomicReference<>());
		AtomicReference<Wake> wake = new AtomicReference<>();
		Thread second = waiter(Duration.ofHours(10), wake);
		this.nanos.addAndGet(Duration.ofHours(1).toNanos());
		this.idleSlots.onWork(this.slot, false);
		first.join(10_000);
		second.join(10_000);
		assertThat(second.isAlive()).as("nobody polls").isFalse();
		assertThat(wake).hasValue(Wake.POLL_DUE);
	}

	private Thread waiter(Duration patience, AtomicReference<Wake> wake) {
		long deadline = this.nanos.get() + patience.toNanos();
		Thread waiter = new Thread(() -> {
			try {
				wake.set(this.idleSlots.await(new Object(), deadline));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		waiter.setDaemon(true);
		waiter.start();
		while (waiter.getState() != Thread.State.TIMED_WAITING) {
			Thread.onSpinWait();
		}
		return waiter;
	}

	@Test
	void pollIsDueAfterTheInterval() {
		polled(true, Duration.ofMillis(100));
		this.nanos.addAndGet(INTERVAL.minusMillis(1).toNanos());
		assertThat(this.idleSlots.isPollDue()).isFalse();
		this.nanos.addAndGet(Duration.ofMillis(1).toNanos());
		assertThat(this.idleSlots.isPollDue()).isTrue();
	}

	private void polled(boolean all, @Nullable Duration next) {
		this.idleSlots.onPolled(all, next, this.nanos.get());
	}

	/**
	 * Advances the time, and returns whether a poll is due.
	 */
	private boolean isTime(Duration later) throws InterruptedException {
		this.nanos.addAndGet(later.toNanos());
		return this.idleSlots.await(this.slot, this.nanos.get() + 100) == Wake.POLL_DUE;
	}

}
