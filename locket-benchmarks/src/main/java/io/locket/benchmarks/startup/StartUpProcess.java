package io.locket.benchmarks.startup;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.sun.management.OperatingSystemMXBean;
import io.locket.benchmarks.BenchmarkApplication;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.redis.BenchmarkRedis;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process that starts an application, prints the time and the CPU time that this took
 * since the start of the JVM, and ends.
 */
public final class StartUpProcess {

	/**
	 * First argument of the process.
	 */
	public static final String ARGUMENT = "start-up-process";

	private StartUpProcess() {
	}

	/**
	 * Starts an application in this process.
	 * @param args {@link #ARGUMENT}, host and port of Redis, the namespace, and
	 * properties
	 */
	public static void run(String[] args) {
		List<String> properties = List.of(args).subList(4, args.length);
		try (ConfigurableApplicationContext context = LocketApplication.start(args[1], Integer.parseInt(args[2]),
				args[3], properties.toArray(String[]::new))) {
			long elapsed = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
			long cpu = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1_000_000;
			System.out.println("ready " + elapsed + " " + cpu);
		}
	}

	/**
	 * Starts an application in a new process.
	 * @param redis the Redis to use
	 * @param namespace the namespace
	 * @param properties further properties
	 * @return the elapsed time and the CPU time in milliseconds
	 */
	static double[] start(BenchmarkRedis redis, String namespace, List<String> properties) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		String path = System.getProperty("java.class.path");
		command.addAll((path.endsWith(".jar") && !path.contains(File.pathSeparator)) ? List.of("-jar", path)
				: List.of("-cp", path, BenchmarkApplication.class.getName()));
		command.addAll(List.of(ARGUMENT, redis.host(), String.valueOf(redis.port()), namespace));
		command.addAll(properties);
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			try (BufferedReader lines = process.inputReader()) {
				String[] figures = lines.lines()
					.filter((line) -> line.startsWith("ready "))
					.findFirst()
					.orElseThrow(() -> new IllegalStateException("The application did not start"))
					.split(" ");
				process.waitFor();
				return new double[] { Double.parseDouble(figures[1]), Double.parseDouble(figures[2]) };
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns a property that leaves Locket out of an application.
	 * @return the property
	 */
	static String withoutLocket() {
		List<String> names = new ArrayList<>();
		ImportCandidates.load(AutoConfiguration.class, StartUpProcess.class.getClassLoader()).forEach((name) -> {
			if (name.startsWith("io.locket.")) {
				names.add(name);
			}
		});
		return "spring.autoconfigure.exclude=" + String.join(",", names);
	}

}
