package io.locket.lease.heartbeat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.lease.ManualScheduler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PlannedTask}, with manual time.
 */
class PlannedTaskTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final ManualScheduler time = new ManualScheduler();

	private final AtomicInteger runs = new AtomicInteger();

	private final PlannedTask task = new PlannedTask(this.time, this.runs::incrementAndGet);

	@Test
	void taskIsPlannedOnceUntilItIsDone() {
		this.task.planIn(SECOND);
		this.task.planIn(Duration.ZERO);
		this.time.advance(Duration.ofMillis(999));
		assertThat(this.runs).hasValue(0);
		this.time.advance(SECOND);
		this.task.planIn(SECOND);
		this.time.advance(SECOND);
		assertThat(this.runs).hasValue(1);
		this.task.done();
		this.task.planIn(SECOND);
		this.time.advance(SECOND);
		assertThat(this.runs).hasValue(2);
	}

	@Test
	void taskThatCouldNotBeScheduledRunsWhenTheSchedulerHasAThread() {
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.task.planIn(SECOND));
		this.time.advance(SECOND);
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void taskThatCouldNotBeScheduledIsIgnoredIfAnotherOneIsPlanned() {
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.task.planIn(SECOND));
		this.task.planIn(SECOND);
		this.time.advance(SECOND);
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void nothingIsPlannedAfterTheSchedulerIsShutDown() {
		this.time.shutdown();
		this.task.planIn(SECOND);
		assertThat(this.time.size()).isZero();
	}

}
