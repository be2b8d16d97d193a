package io.locket.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisServer}.
 */
class RedisServerTests {

	@Test
	void sharedServerIsOneAndReplies() {
		assertThat(RedisServer.shared()).isSameAs(RedisServer.shared());
		String key = RedisServer.newNamespace() + ":key";
		assertThat(RedisServer.shared().execute("SET", key, "välue\r\n")).isEqualTo("OK");
		assertThat(RedisServer.shared().execute("GET", key)).isEqualTo("välue\r\n");
		assertThat(RedisServer.shared().execute("DEL", key)).isEqualTo(1L);
		assertThat(RedisServer.shared().execute("GET", key)).isNull();
	}

	@Test
	void namespacesDiffer() {
		assertThat(RedisServer.newNamespace()).isNotEqualTo(RedisServer.newNamespace());
	}

	@Test
	void frozenServerRepliesWhenItIsResumed() throws Exception {
		try (RedisServer server = RedisServer.start()) {
			server.freeze();
			CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> server.execute("PING"),
					(task) -> new Thread(task).start());
			assertThat(reply).failsWithin(Duration.ofMillis(300));
			assertThat(reply).isNotDone();
			server.resume();
			assertThat(reply.get(10, TimeUnit.SECONDS)).isEqualTo("PONG");
		}
	}

	@Test
	void stoppedServerRefusesAndRestartsOnItsPortWithoutData() {
		try (RedisServer server = RedisServer.start()) {
			int port = server.port();
			server.execute("SET", "key", "value");
			server.stop();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> server.execute("PING"))
				.withCauseInstanceOf(IOException.class);
			server.restart();
			assertThat(server.port()).isEqualTo(port);
			assertThat(server.execute("GET", "key")).isNull();
		}
	}

	@Test
	void argumentsReachTheServer() {
		try (RedisServer server = RedisServer.start("--appendonly", "yes")) {
			server.execute("SET", "key", "value");
			server.freeze();
			server.restart();
			assertThat(server.execute("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	void twoServersHaveTheirOwnPortsAndData() {
		try (RedisServer first = RedisServer.start(); RedisServer second = RedisServer.start()) {
			assertThat(first.port()).isNotEqualTo(second.port());
			first.execute("SET", "key", "value");
			assertThat(second.execute("GET", "key")).isNull();
		}
	}

}
