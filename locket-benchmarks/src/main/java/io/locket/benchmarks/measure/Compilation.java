package io.locket.benchmarks.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Compilation of this JVM's hot code, which runs beside the work that it speeds up.
 */
final class Compilation {

	private static final Optional<CompilationMXBean> COMPILER = Optional
		.ofNullable(ManagementFactory.getCompilationMXBean())
		.filter(CompilationMXBean::isCompilationTimeMonitoringSupported);

	/**
	 * Maximum number of runs that warm up.
	 */
	private static final int MOST_RUNS = 15;

	/**
	 * Share of the compilers' time in the time of a run, from which on code counts as
	 * compiled.
	 */
	private static final double SETTLED = 0.05;

	private static final long QUIET_MILLIS = 50;

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

	private Compilation() {
	}

	/**
	 * Returns the time spent on completed compilations so far.
	 * @return milliseconds, 0 if the JVM does not report them
	 */
	static long millis() {
		return COMPILER.map(CompilationMXBean::getTotalCompilationTime).orElse(0L);
	}

	/**
	 * Repeats a run while its code is being compiled, because a compilation costs more
	 * than the operations of a run.
	 * @param run runs the code, and returns the duration in nanoseconds
	 */
	static void warmUp(LongSupplier run) {
		warmUp(run, Compilation::millis);
	}

	static void warmUp(LongSupplier run, LongSupplier compilerMillis) {
		double share = 1;
		for (int runs = 0; runs < MOST_RUNS && share > SETTLED; runs++) {
			long before = compilerMillis.getAsLong();
			long nanos = run.getAsLong();
			share = (compilerMillis.getAsLong() - before) * 1e6 / nanos;
		}
	}

	/**
	 * Waits until no compilation completes for a while, so that code that ran before is
	 * not compiled at the expense of the next work.
	 */
	static void awaitQuiet() {
		long deadline = System.nanoTime() + PATIENCE;
		long before;
		do {
			before = millis();
			Waiting.sleep(QUIET_MILLIS);
		}
		while (millis() != before && System.nanoTime() - deadline < 0);
	}

}
