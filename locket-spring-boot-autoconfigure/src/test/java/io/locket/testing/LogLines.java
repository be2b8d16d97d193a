package io.locket.testing;

import java.util.List;

import org.springframework.boot.test.system.CapturedOutput;

/**
 * Lines of the log that one thread wrote. Captured output also holds what threads of
 * other contexts in the same JVM write at that time, so a test that counts warnings reads
 * only those of a thread that it knows.
 */
public final class LogLines {

	private LogLines() {
	}

	/**
	 * Returns the warnings that the current thread logged.
	 * @param output the captured output
	 * @return the lines, in order
	 */
	public static List<String> warnings(CapturedOutput output) {
		return warnings(output, Thread.currentThread().getName());
	}

	/**
	 * Returns the warnings that a thread logged.
	 * @param output the captured output
	 * @param thread the name of the thread
	 * @return the lines, in order
	 */
	public static List<String> warnings(CapturedOutput output, String thread) {
		return output.getOut().lines().filter((line) -> line.contains(" WARN  [" + thread + "] ")).toList();
	}

}
