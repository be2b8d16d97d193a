package io.locket.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.RepeatedTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CpuClock}.
 */
class CpuClockTests {

	private static final long WORK = TimeUnit.MILLISECONDS.toNanos(3);

	@RepeatedTest(10)
	void timeOfThreadThatHasEndedCounts() throws InterruptedException {
		long before = CpuClock.nanos();
		Thread thread = new Thread(CpuClockTests::work);
		thread.start();
		thread.join();
		assertThat(CpuClock.nanos() - before).isGreaterThanOrEqualTo(WORK);
	}

	/**
	 * Uses the CPU for a time that is less than a step of the JVM's clock.
	 */
	private static void work() {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long started = threads.getCurrentThreadCpuTime();
		while (threads.getCurrentThreadCpuTime() - started < WORK) {
			Thread.onSpinWait();
		}
	}

}
