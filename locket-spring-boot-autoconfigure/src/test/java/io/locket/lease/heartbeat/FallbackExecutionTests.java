package io.locket.lease.heartbeat;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FallbackExecution} and the notifications that use it.
 */
class FallbackExecutionTests {

	private static final Executor WITHOUT_THREADS = (task) -> {
		throw new OutOfMemoryError("unable to create native thread");
	};

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void taskRunsOnTheExecutor() {
		AtomicReference<Runnable> queued = new AtomicReference<>();
		FallbackExecution.execute(queued::set, this.runs::incrementAndGet);
		assertThat(this.runs).hasValue(0);
		queued.get().run();
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void taskRunsOnTheCallerIfThereIsNoThreadForIt() {
		FallbackExecution.execute(WITHOUT_THREADS, this.runs::incrementAndGet);
		assertThat(this.runs).hasValue(1);
		FallbackExecution.execute((task) -> {
			throw new RejectedExecutionException("shut down");
		}, this.runs::incrementAndGet);
		assertThat(this.runs).hasValue(2);
	}

	@Test
	void taskThatWasAlsoQueuedRunsOnce() {
		AtomicReference<Runnable> queued = new AtomicReference<>();
		Consumer<Runnable> queue = queued::set;
		FallbackExecution.execute((task) -> {
			queue.accept(task);
			throw new OutOfMemoryError("unable to create native thread");
		}, this.runs::incrementAndGet);
		queued.get().run();
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void lossIsDeliveredWithoutThreads() {
		LossExecutors losses = LossExecutors.of(WITHOUT_THREADS);
		AtomicInteger interrupts = new AtomicInteger();
		losses.run(List.of((LossInterrupt) interrupts::incrementAndGet, this.runs::incrementAndGet));
		losses.report(this.runs::incrementAndGet);
		assertThat(interrupts).hasValue(1);
		assertThat(this.runs).hasValue(2);
	}

}
