package io.locket.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.lettuce.core.RedisCommandTimeoutException;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SharedScriptCommands}, as {@link OwnConnectionFactory} has them.
 */
class SharedScriptCommandsTests {

	private static final String ECHO = "return {#KEYS, KEYS[1], ARGV[1], 7}";

	private final SilentProxy proxy = SilentProxy.start(RedisServer.shared());

	private final OwnConnectionFactory factory = factory(Duration.ofSeconds(1));

	@BeforeEach
	void start() {
		this.factory.start();
	}

	@AfterEach
	void close() {
		this.factory.destroy();
		this.proxy.close();
	}

	@Test
	void replyIsAListOfBytesAndNumbers() {
		assertThat(eval(ECHO)).containsExactly(1L, bytes("k"), bytes("a"), 7L);
	}

	@Test
	void allThreadsShareOneConnection() {
		IntStream.range(0, 100).parallel().forEach((i) -> eval(ECHO));
		assertThat(this.proxy.accepted()).isOne();
	}

	@Test
	void commandAfterAResetOpensANewConnection() {
		eval(ECHO);
		this.factory.resetConnection();
		assertThat(eval(ECHO)).hasSize(4);
		this.factory.renew();
		assertThat(eval(ECHO)).hasSize(4);
		assertThat(this.proxy.accepted()).isEqualTo(3);
	}

	@Test
	void errorReplyIsAnExceptionOfSpring() {
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> eval("return {err = 'NO'}"))
			.havingRootCause()
			.withMessage("NO");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> eval("return {{err = 'NO'}}"))
			.havingRootCause()
			.withMessage("NO");
		byte[][] none = {};
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.factory.evalSha("0".repeat(40), none, none, false))
			.havingRootCause()
			.withMessageStartingWith("NOSCRIPT");
	}

	@Test
	void commandWithoutAReplyTimesOut() {
		eval(ECHO);
		this.proxy.loseReplies();
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> eval(ECHO));
	}

	/**
	 * The driver sends the command again. What it had read of the first reply must not be
	 * in the second one. {@link ScriptReplyTests} ends the first reply after each byte.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 4, 5, 20, 31, 41 })
	void replyIsWholeThoughTheConnectionWasClosedWithinIt(int bytes) {
		OwnConnectionFactory patient = factory(Duration.ofSeconds(20));
		patient.start();
		try {
			eval(patient, ECHO);
			this.proxy.cutNextReply(bytes);
			assertThat(eval(patient, "return {1, {ARGV[1], {2}}, 'b', {}, 3}")).usingRecursiveComparison()
				.isEqualTo(List.of(1L, List.of(bytes("a"), List.of(2L)), bytes("b"), List.of(), 3L));
			assertThat(this.proxy.accepted()).isEqualTo(2);
		}
		finally {
			patient.destroy();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { ECHO, "return redis.error_reply('NO')" })
	void replyToACommandThatTheDriverHasSentAgainCountsAsLostIfTheCallerWants(String script) {
		OwnConnectionFactory patient = factory(Duration.ofSeconds(20));
		patient.start();
		try {
			eval(patient, ECHO);
			this.proxy.cutNextReply(0);
			byte[][] one = { bytes("k") };
			assertThatExceptionOfType(RedisConnectionFailureException.class)
				.isThrownBy(() -> patient.eval(script, one, one, true))
				.havingRootCause()
				.withMessage("The connection was closed before the reply");
			assertThat(this.proxy.accepted()).isEqualTo(2);
			assertThat(patient.eval(ECHO, one, one, true)).hasSize(4);
		}
		finally {
			patient.destroy();
		}
	}

	@Test
	void commandIsNotSentWithoutAConnection() {
		this.proxy.closeNext(100);
		assertThatExceptionOfType(NotConnectedException.class).isThrownBy(() -> eval(ECHO));
	}

	@Test
	void callersAtOnceFailWithinTheTimeoutWhenNoConnectionGetsAReply() {
		this.proxy.forgetNewConnections(true);
		ExecutorService callers = Executors.newFixedThreadPool(8);
		try {
			List<Future<List<Object>>> calls = IntStream.range(0, 8)
				.mapToObj((i) -> callers.submit(() -> eval(ECHO)))
				.toList();
			long start = System.nanoTime();
			for (Future<List<Object>> call : calls) {
				assertThat(call).failsWithin(Duration.ofSeconds(20))
					.withThrowableThat()
					.withCauseInstanceOf(NotConnectedException.class);
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
		}
		finally {
			callers.shutdownNow();
		}
		this.proxy.forgetNewConnections(false);
		assertThat(eval(ECHO)).hasSize(4);
	}

	@Test
	void stoppedFactoryRefusesCommands() {
		eval(ECHO);
		this.factory.stop();
		assertThatIllegalStateException().isThrownBy(() -> eval(ECHO));
		this.factory.start();
		assertThat(eval(ECHO)).hasSize(4);
	}

	@Test
	void scriptIsSentWithoutWaitingIfAConnectionIsOpen() {
		assertThat(send()).isNull();
		eval(ECHO);
		assertThat(Objects.requireNonNull(send()).toCompletableFuture().join()).containsExactly(1L, bytes("k"),
				bytes("a"), 7L);
		this.factory.resetConnection();
		assertThat(send()).isNull();
	}

	@Test
	void failureOfASentScriptIsThatOfTheDriver() {
		eval(ECHO);
		byte[][] none = {};
		CompletionStage<List<Object>> reply = this.factory.sendSha("0".repeat(40), none, none);
		assertThat(Objects.requireNonNull(reply).toCompletableFuture()).failsWithin(Duration.ofSeconds(5))
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("NOSCRIPT");
	}

	@Test
	void connectionIsCheckedAfterASentScriptWasCancelled() {
		List<Exception> failures = new CopyOnWriteArrayList<>();
		SharedScriptCommands commands = new SharedScriptCommands(this.factory, failures::add);
		byte[][] none = {};
		commands.eval(ECHO, new byte[][] { bytes("k") }, new byte[][] { bytes("a") }, false);
		this.proxy.loseReplies();
		CompletionStage<List<Object>> reply = commands.sendSha(RedisScript.of(ECHO).getSha1(), none, none);
		assertThat(failures).isEmpty();
		Objects.requireNonNull(reply).toCompletableFuture().cancel(false);
		assertThat(failures).singleElement().isInstanceOf(RedisCommandTimeoutException.class);
	}

	private @Nullable CompletionStage<List<Object>> send() {
		return this.factory.sendSha(RedisScript.of(ECHO).getSha1(), new byte[][] { bytes("k") },
				new byte[][] { bytes("a") });
	}

	private OwnConnectionFactory factory(Duration timeout) {
		return new OwnConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port()),
				LettuceClientConfiguration.builder().commandTimeout(timeout).build(), "key");
	}

	private List<Object> eval(String script) {
		return eval(this.factory, script);
	}

	private static List<Object> eval(OwnConnectionFactory factory, String script) {
		List<Object> reply = factory.eval(script, new byte[][] { bytes("k") }, new byte[][] { bytes("a") }, false);
		assertThat(reply).isNotNull();
		return reply;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
