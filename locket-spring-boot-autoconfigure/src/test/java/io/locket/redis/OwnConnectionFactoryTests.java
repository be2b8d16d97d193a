package io.locket.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OwnConnectionFactory}.
 */
class OwnConnectionFactoryTests {

	private final SilentProxy proxy = SilentProxy.start(RedisServer.shared());

	private final OwnConnectionFactory factory = new OwnConnectionFactory(
			new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port()),
			LettuceClientConfiguration.builder().commandTimeout(Duration.ofSeconds(2)).build(), "key");

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
	void connectionThatIsClosedDuringItsHandshakeIsOpenedAgain() {
		this.proxy.closeNext(2);
		try (RedisConnection connection = this.factory.getConnection()) {
			assertThat(connection.ping()).isEqualTo("PONG");
		}
		assertThat(this.proxy.accepted()).isEqualTo(3);
	}

	@Test
	void serverThatClosesEachConnectionIsCalledThreeTimes() {
		this.proxy.closeNext(100);
		assertThatExceptionOfType(NotConnectedException.class).isThrownBy(this.factory::getConnection);
		assertThat(this.proxy.accepted()).isEqualTo(3);
	}

	@Test
	void renewalRunsAllActionsWhateverOneOfThemThrows() {
		AtomicInteger runs = new AtomicInteger();
		this.factory.addRenewalAction(() -> {
			throw new NoClassDefFoundError("for a test");
		});
		this.factory.addRenewalAction(runs::incrementAndGet);
		this.factory.renew();
		assertThat(runs).hasValue(1);
	}

	/**
	 * Checks a background thread that goes on during the end of the application. The
	 * driver logs an error for each connection that it cannot open.
	 */
	@Test
	void noConnectionIsOpenedOnceTheFactoryIsClosed() {
		this.factory.destroy();
		assertThatExceptionOfType(NotConnectedException.class)
			.isThrownBy(() -> this.factory.withSubscriber((commands) -> {
			}))
			.withMessageContaining("The connections are closed");
	}

}
