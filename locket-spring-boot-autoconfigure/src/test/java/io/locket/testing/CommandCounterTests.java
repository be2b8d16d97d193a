package io.locket.testing;

import java.io.IOException;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandCounter}.
 */
class CommandCounterTests {

	private static final String SCRIPT = "redis.call('set', KEYS[1], ARGV[1]) return redis.call('get', KEYS[1])";

	@Test
	void counterCountsWhatClientsSendButNotWhatScriptsDo() throws IOException {
		try (RedisServer server = RedisServer.start();
				RespConnection client = server.connect();
				CommandCounter counter = CommandCounter.on(server)) {
			client.execute("SET", "key", "a \"quoted\"\nvalue [0 lua]");
			client.execute("eval", SCRIPT, "1", "key", "value");
			client.execute("GET", "key");
			client.execute("GET", "key");
			assertThat(counter.commands()).containsExactly("SET", "EVAL", "GET", "GET");
			assertThat(counter.counts()).isEqualTo(Map.of("SET", 1, "EVAL", 1, "GET", 2));
			assertThat(counter.lines()).hasSize(4);
		}
	}

	@Test
	void counterForgetsOnReset() throws IOException {
		try (RedisServer server = RedisServer.start();
				RespConnection client = server.connect();
				CommandCounter counter = CommandCounter.on(server)) {
			client.execute("SET", "key", "value");
			counter.reset();
			assertThat(counter.commands()).isEmpty();
			client.execute("GET", "key");
			assertThat(counter.commands()).containsExactly("GET");
		}
	}

	@Test
	void counterSelectsOneNamespaceOnTheSharedServer() {
		String namespace = RedisServer.newNamespace();
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			RedisServer.shared().execute("SET", namespace + ":key", "value");
			RedisServer.shared().execute("SET", RedisServer.newNamespace() + ":key", "value");
			assertThat(counter.commandsMentioning(namespace)).containsExactly("SET");
		}
	}

	@Test
	void counterMissesNothingOfManyCommands() throws IOException {
		try (RedisServer server = RedisServer.start();
				RespConnection client = server.connect();
				CommandCounter counter = CommandCounter.on(server)) {
			for (int i = 0; i < 5_000; i++) {
				client.execute("INCR", "key");
			}
			assertThat(counter.counts()).isEqualTo(Map.of("INCR", 5_000));
		}
	}

}
