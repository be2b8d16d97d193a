package io.locket.benchmarks.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Compilation of this JVM's hot code, which runs beside the work that it speeds up.
 */
final class Compilation {

	private static final Optional<CompilationMXBean> COMPILER = Optional
		.ofNullable(ManagementFactory.getCompilationMXBean())
		.filter(CompilationMXBean::isCompilationTimeMonitoringSupported);

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
