package io.locket.redis.script;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link PlainScriptCommands}, with drivers that return a single value as such
 * and with one that returns it as a list.
 */
class PlainScriptCommandsTests {

	private static final RedisStandaloneConfiguration SERVER = new RedisStandaloneConfiguration("127.0.0.1",
			RedisServer.shared().port());

	@ParameterizedTest
	@ValueSource(strings = { "'text'", "7", "{}", "{1, 'text', {'a', {2}}}" })
	void replyOfJedisIsThatOfLettuceWhenItHasAnyShape(String reply) {
		JedisConnectionFactory jedis = new JedisConnectionFactory(SERVER);
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(SERVER);
		jedis.afterPropertiesSet();
		jedis.start();
		lettuce.afterPropertiesSet();
		lettuce.start();
		try {
			List<Object> expected = run(lettuce, reply);
			assertThat(run(jedis, reply)).isEqualTo(expected);
			assertThat(run(jedis, reply)).isEqualTo(expected);
		}
		finally {
			jedis.destroy();
			lettuce.destroy();
		}
	}

	/**
	 * The connections of Redisson do so.
	 */
	@Test
	void valueIsAListWhenTheDriverReturnsItAlone() {
		RedisConnectionFactory factory = mock(RedisConnectionFactory.class);
		RedisConnection connection = mock(RedisConnection.class);
		RedisScriptingCommands commands = mock(RedisScriptingCommands.class);
		given(factory.getConnection()).willReturn(connection);
		given(connection.scriptingCommands()).willReturn(commands);
		given(commands.evalSha(anyString(), eq(ReturnType.MULTI), anyInt(), any(byte[][].class)))
			.willReturn("text".getBytes(StandardCharsets.UTF_8));
		assertThat(run(factory, "'text'")).containsExactly("text");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void connectionIsClosedAfterEachCommand(boolean fails) {
		RedisConnectionFactory factory = mock(RedisConnectionFactory.class);
		RedisConnection connection = mock(RedisConnection.class);
		RedisScriptingCommands commands = mock(RedisScriptingCommands.class);
		given(factory.getConnection()).willReturn(connection);
		given(connection.scriptingCommands()).willReturn(commands);
		given(commands.evalSha(anyString(), eq(ReturnType.MULTI), anyInt(), any(byte[][].class))).willAnswer((call) -> {
			if (fails) {
				throw new QueryTimeoutException("for a test");
			}
			return List.of("text");
		});
		if (fails) {
			assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> run(factory, "'text'"));
		}
		else {
			run(factory, "'text'");
		}
		then(connection).should().close();
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static List<Object> run(RedisConnectionFactory factory, String reply) {
		RedisScript<List<Object>> script = (RedisScript) RedisScript.of("return " + reply, List.class);
		return new ScriptRunner(factory, Duration.ofSeconds(20)).run(script, List.of(RedisServer.newNamespace()));
	}

}
