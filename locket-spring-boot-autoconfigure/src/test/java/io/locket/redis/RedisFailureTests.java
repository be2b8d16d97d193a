package io.locket.redis;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLHandshakeException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.locket.redis.RedisFailure.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisFailure}.
 */
class RedisFailureTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					SLOT        | TRYAGAIN Multiple keys request during rehashing of slot
					FULL        | ERR Error running script (call to f_1): @user_script:57: -OOM command not allowed when used memory > 'maxmemory'.
					FULL        | OOM command not allowed when used memory > 'maxmemory'. script: 1, on @user_script:57.
					CREDENTIALS | WRONGPASS invalid username-password pair or user is disabled.
					CREDENTIALS | NOAUTH Authentication required.
					PERMISSION  | NOPERM this user has no permissions to run the 'evalsha' command or its subcommand
					PERMISSION  | ERR Error running script (call to f_1): @user_script: 3: The user executing the script can't run this command or subcommand
					PERMISSION  | ERR ACL failure in script: User app has no permissions to run the 'publish' command
					REFUSED     | READONLY You can't write against a read only replica.
					""")
	void errorRepliesAreClassified(Kind kind, String reply) {
		RedisFailure failure = RedisFailure
			.of(new RedisSystemException("Error in execution", new RedisCommandExecutionException(reply)));
		assertThat(failure.kind()).isEqualTo(kind);
		assertThat(failure.message("enqueue 1 job(s)")).contains("refused to: enqueue 1 job(s)")
			.doesNotStartWith("ERR")
			.doesNotContain("no reply");
	}

	@Test
	void fullRedisIsDescribedByCauseAndRemedyAlone() {
		RedisFailure failure = RedisFailure.of(new RedisSystemException("Error in execution",
				new RedisCommandExecutionException("ERR Error running script (call to f_1): @user_script:57:"
						+ " @user_script: 57: -OOM command not allowed when used memory > 'maxmemory'.")));
		assertThat(failure.message("enqueue 1 job(s)")).startsWith("Redis is full")
			.contains("more memory")
			.doesNotContain("user_script");
	}

	@Test
	void timeoutIsNoReply() {
		RedisFailure failure = RedisFailure
			.of(new QueryTimeoutException("timed out", new RedisCommandTimeoutException("after 2 seconds")));
		assertThat(failure.kind()).isEqualTo(Kind.NO_REPLY);
		assertThat(failure.message("reserve")).startsWith("Redis did not reply to: reserve")
			.contains("after 2 seconds", "spring.data.redis");
	}

	@Test
	void failureOfTheDriverItselfIsNoReply() {
		for (RuntimeException ex : List.of(
				new RedisConnectionException("Unable to connect", new ConnectException("Connection refused")),
				new RedisConnectionException("Unable to connect"), new RedisCommandTimeoutException("after 2 seconds"),
				new CompletionException(new TimeoutException("after 2 seconds")))) {
			assertThat(RedisFailure.of(ex).kind()).as(ex.toString()).isEqualTo(Kind.NO_REPLY);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Connection closed prematurely", "RedisHandshakeHandler not registered" })
	void connectionThatRedisClosedDuringTheHandshakeIsNoReplyAndHintsAtThePassword(String message) {
		RuntimeException ex = new RedisConnectionException("Unable to connect", new IllegalStateException(message));
		assertThat(RedisFailure.isClosedInHandshake(ex)).isTrue();
		RedisFailure failure = RedisFailure.of(ex);
		assertThat(failure.kind()).isEqualTo(Kind.NO_REPLY);
		assertThat(failure.message("read a key")).contains(message, "handshake", "the user or the password",
				"spring.data.redis.ssl.enabled is not set");
	}

	private static RedisConnectionException connectionFailure(Throwable cause) {
		return RedisConnectionException.create(InetSocketAddress.createUnresolved("redis.example.org", 6399), cause);
	}

	@Test
	void failedConnectionHasTheAddressOfItsServer() {
		RedisFailure failure = RedisFailure.of(new RedisConnectionFailureException("Unable to connect to Redis",
				connectionFailure(new ConnectException("Connection refused"))));
		assertThat(failure.kind()).isEqualTo(Kind.NO_REPLY);
		assertThat(failure.message("reserve")).isEqualTo("Redis did not reply to: reserve."
				+ " Unable to connect to redis.example.org:6399: java.net.ConnectException: Connection refused."
				+ " Check Redis, spring.data.redis.* and locket.redis.command-timeout");
	}

	@Test
	void wrongPasswordHasTheAddressOfItsServer() {
		RedisFailure failure = RedisFailure
			.of(connectionFailure(new RedisCommandExecutionException("WRONGPASS invalid username-password pair")));
		assertThat(failure.kind()).isEqualTo(Kind.CREDENTIALS);
		assertThat(failure.message("reserve")).contains("redis.example.org:6399", "WRONGPASS",
				"spring.data.redis.password");
	}

	@Test
	void failedConnectionHasTheAddressesOfSentinels() {
		RedisFailure failure = RedisFailure
			.of(new RedisConnectionException("Cannot connect to a Redis Sentinel: [redis://sentinel.example.org:26379]",
					new ConnectException("Connection refused")));
		assertThat(failure.kind()).isEqualTo(Kind.NO_REPLY);
		assertThat(failure.message("reserve")).contains("sentinel.example.org:26379");
	}

	@Test
	void handshakeThatDoesNotEndHintsAtTls() {
		RedisFailure failure = RedisFailure.of(connectionFailure(
				new RedisCommandTimeoutException("Connection initialization timed out after 2 second(s)")));
		assertThat(failure.kind()).isEqualTo(Kind.NO_REPLY);
		assertThat(failure.message("reserve")).contains("redis.example.org:6399", "spring.data.redis.ssl.enabled");
	}

	@Test
	void failedTlsHandshakeNamesTheBundle() {
		RedisFailure failure = RedisFailure.of(connectionFailure(
				new SSLHandshakeException("PKIX path building failed: unable to find valid certification path")));
		assertThat(failure.kind()).isEqualTo(Kind.NO_REPLY);
		assertThat(failure.message("reserve")).contains("redis.example.org:6399", "PKIX path building failed",
				"the TLS handshake failed. Set spring.data.redis.ssl.bundle");
	}

	@Test
	void connectionThatIsLostDuringItsTlsHandshakeIsNoRefusedCertificate() {
		RedisFailure failure = RedisFailure.of(connectionFailure(
				new SSLHandshakeException("Connection closed while SSL/TLS handshake was in progress")));
		assertThat(failure.kind()).isEqualTo(Kind.NO_REPLY);
		assertThat(failure.message("reserve")).doesNotContain("bundle");
	}

	@Test
	void replicaIsNamedWithTheRemedy() {
		RedisFailure failure = RedisFailure
			.of(new RedisCommandExecutionException("READONLY You can't write against a read only replica."));
		assertThat(failure.isReply()).isTrue();
		assertThat(failure.message("reserve"))
			.startsWith("Redis refused to: reserve. It is a replica. If this lasts, set spring.data.redis.sentinel.*"
					+ " or .cluster.*, or the address of its master. ")
			.contains("READONLY");
	}

	@Test
	void refusedConnectionWasNotClosedDuringTheHandshake() {
		assertThat(RedisFailure.isClosedInHandshake(
				new RedisConnectionException("Unable to connect", new ConnectException("Connection refused"))))
			.isFalse();
	}

	@Test
	void anythingElseCouldNotBeRead() {
		RedisFailure failure = RedisFailure.of(new NumberFormatException("x"));
		assertThat(failure.kind()).isEqualTo(Kind.UNREADABLE);
		assertThat(failure.message("reserve")).contains("could not be read: reserve");
	}

}
