package io.locket.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A main class of the test class path in a separate JVM, with line-based input and
 * output. Its standard error is merged into its standard output. It ends with this JVM at
 * the latest.
 */
public final class ChildJvm implements AutoCloseable {

	private final Process process;

	private final Writer input;

	private final List<String> transcript = new ArrayList<>();

	private final List<String> unread = new ArrayList<>();

	private final Thread reader;

	private ChildJvm(Process process) {
		this.process = process;
		this.input = process.outputWriter();
		this.reader = new Thread(this::read, "child-jvm-" + process.pid());
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * Starts a JVM.
	 * @param main the class with the {@code main} method, which need not be public
	 * @param args its arguments
	 * @return the running JVM
	 */
	public static ChildJvm start(Class<?> main, String... args) {
		return start(Map.of(), main, args);
	}

	/**
	 * Starts a JVM with environment variables.
	 * @param environment the variables, in addition to those of this JVM
	 * @param main the class with the {@code main} method, which need not be public
	 * @param args its arguments
	 * @return the running JVM
	 */
	public static ChildJvm start(Map<String, String> environment, Class<?> main, String... args) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		Collections.addAll(command, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
		Collections.addAll(command, "-cp", System.getProperty("java.class.path"));
		Collections.addAll(command, ChildJvmLauncher.class.getName(), main.getName());
		Collections.addAll(command, args);
		try {
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
			builder.environment().putAll(environment);
			return new ChildJvm(builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Waits for a line with a prefix, and removes it from the pending lines. Other lines
	 * stay for later calls.
	 * @param prefix the start of the line
	 * @param timeout the maximum time to wait
	 * @return the line
	 */
	public String awaitLine(String prefix, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		synchronized (this.transcript) {
			while (true) {
				String line = poll(prefix);
				if (line != null) {
					return line;
				}
				long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
				if (left <= 0 || !this.reader.isAlive()) {
					throw new AssertionError("No line '" + prefix + "' from " + this);
				}
				await(Math.min(left, 100));
			}
		}
	}

	private String poll(String prefix) {
		for (Iterator<String> lines = this.unread.iterator(); lines.hasNext();) {
			String line = lines.next();
			if (line.startsWith(prefix)) {
				lines.remove();
				return line;
			}
		}
		return null;
	}

	private void await(long millis) {
		try {
			this.transcript.wait(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Writes a line to the standard input.
	 * @param line the line
	 */
	public void send(String line) {
		try {
			this.input.write(line + "\n");
			this.input.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No way to send to " + this, ex);
		}
	}

	/**
	 * Suspends the process.
	 */
	public void stop() {
		Signal.STOP.send(this.process);
	}

	/**
	 * Resumes a suspended process.
	 */
	public void cont() {
		Signal.CONT.send(this.process);
	}

	/**
	 * Kills the process by SIGKILL and waits until it has ended.
	 */
	public void kill() {
		this.process.destroyForcibly();
		awaitExit(Duration.ofSeconds(20));
	}

	/**
	 * Waits until the process has ended.
	 * @param timeout the maximum time to wait
	 * @return its exit code
	 */
	public int awaitExit(Duration timeout) {
		try {
			if (!this.process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new AssertionError("Still running: " + this);
			}
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns whether the process runs.
	 * @return {@code false} once it has ended
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Returns the process id.
	 * @return the process id
	 */
	public long pid() {
		return this.process.pid();
	}

	@Override
	public void close() {
		kill();
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				add(line);
			}
		}
		catch (IOException ex) {
			add("The output ended: " + ex);
		}
	}

	private void add(String line) {
		synchronized (this.transcript) {
			this.transcript.add(line);
			this.unread.add(line);
			this.transcript.notifyAll();
		}
	}

	@Override
	public String toString() {
		synchronized (this.transcript) {
			return "process " + this.process.pid() + (isAlive() ? "" : " (ended)") + " with the output:\n"
					+ String.join("\n", this.transcript);
		}
	}

}
