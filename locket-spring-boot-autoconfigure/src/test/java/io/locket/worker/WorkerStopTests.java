package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkerStop}.
 */
class WorkerStopTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final WorkerStop stop = new WorkerStop(System::nanoTime);

	@Test
	void pauseIsShortDuringTheStop() throws Exception {
		assertThat(this.stop.begin(LONG)).isTrue();
		CompletableFuture.runAsync(() -> this.stop.pause(LONG)).get(5, TimeUnit.SECONDS);
		assertThat(this.stop.isOver()).isFalse();
	}

}
