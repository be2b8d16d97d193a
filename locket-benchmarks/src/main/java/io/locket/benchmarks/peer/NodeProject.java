package io.locket.benchmarks.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.system.ApplicationHome;
import org.springframework.core.io.ClassPathResource;

/**
 * Project of Node that has BullMQ, installed by npm below the folder of the jar.
 */
final class NodeProject {

	private static final String VERSION = "6.7.0";

	private static final String CLIENT_VERSION = "6.0.0";

	private static final String NPM = System.getProperty("os.name").startsWith("Windows") ? "npm.cmd" : "npm";

	private static final String SCRIPT = "bullmq.js";

	private final Path directory;

	private NodeProject(Path directory) {
		this.directory = directory;
	}

	/**
	 * Installs the project unless it is there.
	 * @return the project, or empty if Node or npm is not there
	 */
	static Optional<NodeProject> install() {
		try {
			Path directory = new ApplicationHome(NodeProject.class).getDir().toPath().resolve("bullmq-" + VERSION);
			Files.createDirectories(directory);
			run(directory, 10, "node", "--version");
			if (!Files.exists(directory.resolve("node_modules/ioredis"))) {
				run(directory, 180, NPM, "install", "--prefix", ".", "--no-audit", "--no-fund", "bullmq@" + VERSION,
						"ioredis@" + CLIENT_VERSION);
			}
			try (InputStream script = new ClassPathResource("io/locket/benchmarks/peer/" + SCRIPT).getInputStream()) {
				Files.write(directory.resolve(SCRIPT), script.readAllBytes());
			}
			return Optional.of(new NodeProject(directory));
		}
		catch (IOException ex) {
			System.out.println("BullMQ is left out: Node or npm is not there, or the installation failed ("
					+ ex.getMessage() + ").");
			return Optional.empty();
		}
	}

	private static void run(Path directory, int seconds, String... command) throws IOException {
		Process process = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("install.log").toFile())
			.start();
		try {
			if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
				process.destroyForcibly();
				throw new IOException(command[0] + " took longer than " + seconds + " seconds");
			}
		}
		catch (InterruptedException ex) {
			process.destroyForcibly();
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
		if (process.exitValue() != 0) {
			throw new IOException(command[0] + " failed: " + Files.readString(directory.resolve("install.log")));
		}
	}

	/**
	 * Starts the script.
	 * @param arguments the arguments of the script
	 * @return the process
	 * @throws IOException if the process cannot be started
	 */
	Process start(List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of("node", SCRIPT));
		command.addAll(arguments);
		return new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectError(this.directory.resolve("bullmq.log").toFile())
			.start();
	}

}
