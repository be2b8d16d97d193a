package io.locket.redis.script;

import java.net.SocketException;
import java.time.Duration;
import java.util.List;

import io.lettuce.core.RedisConnectionException;
import io.locket.redis.NotConnectedException;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.ScriptCommands;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link ScriptRunner}, with connections that are reset before the reply.
 */
class ScriptRunnerTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static final RedisScript<List<Object>> COUNT = (RedisScript) RedisScript
		.of("return {redis.call('INCR', KEYS[1])}", List.class);

	private final String key = RedisServer.newNamespace();

	private final SilentProxy proxy = SilentProxy.start(RedisServer.shared());

	private final OwnConnectionFactory factory = new OwnConnectionFactory(
			new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port()),
			LettuceClientConfiguration.builder().commandTimeout(PATIENCE).build(), "key");

	private ScriptRunner runner;

	@BeforeEach
	void start() {
		this.factory.start();
		this.runner = new ScriptRunner(this.factory, PATIENCE);
		assertThat(this.runner.run(COUNT, List.of(this.key))).containsExactly(1L);
	}

	@AfterEach
	void close() {
		this.factory.destroy();
		this.proxy.close();
	}

	@Test
	void scriptIsRepeatedWhenItsConnectionIsReset() {
		this.proxy.resetAtNextReply();
		assertThat(this.runner.run(COUNT, List.of(this.key))).containsExactly(3L);
		assertThat(this.proxy.accepted()).isEqualTo(2);
	}

	/**
	 * A failure to connect would tell the caller that Redis has not executed the script.
	 */
	@Test
	void failureLeavesOpenWhetherTheScriptHasRunWhenThereIsNoConnectionAfterAReset() {
		RedisConnectionFactory unconnected = mock(RedisConnectionFactory.class,
				withSettings().extraInterfaces(ScriptCommands.class));
		given(((ScriptCommands) unconnected).evalSha(any(), any(), any(), anyBoolean()))
			.willThrow(new RedisSystemException("Redis exception", new SocketException("Connection reset")))
			.willThrow(new NotConnectedException(new RedisConnectionException("Unable to connect")));
		assertThatExceptionOfType(RedisConnectionFailureException.class)
			.isThrownBy(() -> new ScriptRunner(unconnected, PATIENCE).run(COUNT, List.of(this.key)))
			.isNotInstanceOf(NotConnectedException.class)
			.withMessage("Unable to connect");
	}

	@Test
	void interruptDoesNotEndTheCallAndStaysPending() {
		Thread.currentThread().interrupt();
		List<Object> reply = this.runner.run(COUNT, List.of(this.key));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(reply).hasSize(1);
	}

	@Test
	void scriptIsNotRepeatedWhenTheCallerRepeatsIt() {
		this.proxy.resetAtNextReply();
		assertThatExceptionOfType(RedisSystemException.class)
			.isThrownBy(() -> this.runner.runWithoutRetry(COUNT, List.of(this.key)));
		assertThat(this.runner.run(COUNT, List.of(this.key))).containsExactly(3L);
	}

	@Test
	void scriptIsNotRepeatedWhenItMayRunOnlyOnce() {
		this.proxy.resetAtNextReply();
		assertThatExceptionOfType(RedisSystemException.class)
			.isThrownBy(() -> this.runner.runOnce(COUNT, List.of(this.key)));
		assertThat(this.runner.run(COUNT, List.of(this.key))).containsExactly(3L);
	}

}
