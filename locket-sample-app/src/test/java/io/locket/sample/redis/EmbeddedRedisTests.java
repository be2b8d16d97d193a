package io.locket.sample.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.locket.sample.TestPorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.embedded.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link EmbeddedRedis}.
 */
@Timeout(120)
class EmbeddedRedisTests {

	private final int port = TestPorts.free();

	@AfterEach
	void nothingIsLeftBehind() {
		assertThat(isListening(this.port)).isFalse();
	}

	@Test
	void leaveEndsServerAfterTheLastUser() throws IOException {
		EmbeddedRedis redis = EmbeddedRedis.join(this.port);
		assertThat(isListening(this.port)).isTrue();
		List<Path> directories = directories();
		redis.leave();
		assertThat(isListening(this.port)).isFalse();
		assertThat(directories()).hasSizeLessThan(directories.size());
	}

	@Test
	void leaveKeepsServerWhileAnotherReplicaIsThere() {
		EmbeddedRedis first = EmbeddedRedis.join(this.port);
		EmbeddedRedis second = EmbeddedRedis.join(this.port);
		first.leave();
		assertThat(isListening(this.port)).isTrue();
		second.leave();
	}

	@Test
	void joinWorksWhenReplicasStartAtTheSameMoment() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			CountDownLatch start = new CountDownLatch(1);
			List<Future<EmbeddedRedis>> joins = Stream.generate(() -> threads.submit(() -> {
				start.await();
				return EmbeddedRedis.join(this.port);
			})).limit(4).toList();
			start.countDown();
			for (Future<EmbeddedRedis> join : joins) {
				assertThat(join.get(60, TimeUnit.SECONDS)).isNotNull();
			}
			List<Callable<Void>> leaves = joins.stream().<Callable<Void>>map((join) -> () -> {
				join.get().leave();
				return null;
			}).toList();
			for (Future<Void> leave : threads.invokeAll(leaves)) {
				leave.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void serverSurvivesKillOfReplicaThatStartedItAndIsFoundAgain() throws Exception {
		Process replica = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), Replica.class.getName(), String.valueOf(this.port))
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			assertThat(replica.inputReader().lines().anyMatch("joined"::equals)).isTrue();
		}
		finally {
			replica.destroyForcibly().waitFor();
		}
		assertThat(isListening(this.port)).isTrue();
		EmbeddedRedis.join(this.port).leave();
	}

	@Test
	void leaveKeepsServerThatAnotherProcessStarted() throws IOException {
		RedisServer foreign = new RedisServer(this.port);
		foreign.start();
		try {
			EmbeddedRedis.join(this.port).leave();
			assertThat(isListening(this.port)).isTrue();
		}
		finally {
			foreign.stop();
		}
	}

	@Test
	void joinFailsWhenPortIsTakenBySomethingElse() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			// Longer than the first connection, so that a server is started as well.
			Duration patience = Duration.ofSeconds(3);
			assertThatIllegalStateException().isThrownBy(() -> EmbeddedRedis.join(socket.getLocalPort(), patience))
				.withMessageContaining("--inventory.redis-port=")
				.withMessageContaining("--inventory.redis=external");
		}
	}

	private static List<Path> directories() throws IOException {
		try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
			return files.filter((file) -> file.getFileName().toString().startsWith(EmbeddedRedis.DIRECTORY)).toList();
		}
	}

	private static boolean isListening(int port) {
		try (Socket socket = new Socket(EmbeddedRedis.HOST, port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * A process that joins and waits for its end.
	 */
	static final class Replica {

		private Replica() {
		}

		public static void main(String[] args) throws InterruptedException {
			EmbeddedRedis.join(Integer.parseInt(args[0]));
			System.out.println("joined");
			new CountDownLatch(1).await();
		}

	}

}
