package io.locket.autoconfigure.lease;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.resource.SocketAddressResolver;
import io.netty.resolver.DefaultAddressResolverGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DerivedLettuceClient}.
 */
class DerivedLettuceClientTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	private final ClientResources resources = mock(ClientResources.class);

	private ClientResources created = mock(ClientResources.class);

	@AfterEach
	void shutDown() {
		this.created.shutdown();
	}

	@Test
	void connectionsAreEncryptedLikeThoseOfTheApplication() {
		assertThat(derive(LettuceClientConfiguration.builder()).isUseSsl()).isFalse();
		LettuceClientConfiguration full = derive(LettuceClientConfiguration.builder().useSsl().and());
		assertThat(full.isUseSsl()).isTrue();
		assertThat(full.getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
		assertThat(full.isStartTls()).isFalse();
		LettuceClientConfiguration started = derive(LettuceClientConfiguration.builder().useSsl().startTls().and());
		assertThat(started.isStartTls()).isTrue();
		LettuceClientConfiguration authority = derive(
				LettuceClientConfiguration.builder().useSsl().verifyPeer(SslVerifyMode.CA).and());
		assertThat(authority.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
	}

	@Test
	void credentialsAreThoseOfTheApplication() {
		RedisCredentialsProviderFactory credentials = mock(RedisCredentialsProviderFactory.class);
		assertThat(derive(LettuceClientConfiguration.builder().redisCredentialsProviderFactory(credentials))
			.getRedisCredentialsProviderFactory()).containsSame(credentials);
	}

	@ParameterizedTest
	@CsvSource({ "PT0.5S, PT0.5S", "PT2S, PT2S", "PT10S, PT2S" })
	void connectingTakesAtMostACommandTimeout(Duration configured, Duration expected) {
		ClientOptions application = ClientOptions.builder()
			.socketOptions(SocketOptions.builder().connectTimeout(configured).build())
			.build();
		assertThat(options(derive(application)).getSocketOptions().getConnectTimeout()).isEqualTo(expected);
	}

	@Test
	void timeoutOfCommandsIsLocketsOwnAndHasNoTimer() {
		LettuceClientConfiguration derived = derive(LettuceClientConfiguration.builder()
			.commandTimeout(Duration.ofMinutes(1))
			.clientOptions(ClientOptions.builder().timeoutOptions(TimeoutOptions.enabled()).build()));
		assertThat(derived.getCommandTimeout()).isEqualTo(COMMAND_TIMEOUT);
		assertThat(options(derived).getTimeoutOptions().isTimeoutCommands()).isFalse();
	}

	@Test
	void keepAliveOfTheApplicationStays() {
		SocketOptions socket = SocketOptions.builder()
			.keepAlive(SocketOptions.KeepAliveOptions.builder().enable().idle(Duration.ofMinutes(5)).build())
			.build();
		assertThat(options(derive(ClientOptions.builder().socketOptions(socket).build())).getSocketOptions()
			.getKeepAlive()).isEqualTo(socket.getKeepAlive());
	}

	@Test
	void connectionsCloseInTheTimesOfTheApplication() {
		LettuceClientConfiguration derived = derive(LettuceClientConfiguration.builder()
			.shutdownTimeout(Duration.ofMillis(300))
			.shutdownQuietPeriod(Duration.ofMillis(20)));
		assertThat(derived.getShutdownTimeout()).isEqualTo(Duration.ofMillis(300));
		assertThat(derived.getShutdownQuietPeriod()).isEqualTo(Duration.ofMillis(20));
	}

	@Test
	void connectionThatWaitsForReplicasDoesNotReconnect() {
		DerivedLettuceClient client = client(LettuceClientConfiguration.builder());
		assertThat(options(client.configuration(this.resources)).isAutoReconnect()).isTrue();
		assertThat(options(client.waiting(this.resources)).isAutoReconnect()).isFalse();
	}

	@Test
	void serversAreReachedAsTheApplicationReachesThem() {
		SocketAddressResolver addresses = mock(SocketAddressResolver.class);
		NettyCustomizer customizer = mock(NettyCustomizer.class);
		ClientResources application = ClientResources.builder()
			.socketAddressResolver(addresses)
			.addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
			.nettyCustomizer(customizer)
			.build();
		try {
			this.created = client(LettuceClientConfiguration.builder().clientResources(application)).resources();
			assertThat(this.created.socketAddressResolver()).isSameAs(addresses);
			assertThat(this.created.addressResolverGroup()).isSameAs(DefaultAddressResolverGroup.INSTANCE);
			assertThat(this.created.nettyCustomizer()).isSameAs(customizer);
			assertThat(this.created.eventExecutorGroup()).isNotSameAs(application.eventExecutorGroup());
		}
		finally {
			application.shutdown();
		}
	}

	private LettuceClientConfiguration derive(ClientOptions options) {
		return derive(LettuceClientConfiguration.builder().clientOptions(options));
	}

	private LettuceClientConfiguration derive(LettuceClientConfigurationBuilder application) {
		return client(application).configuration(this.resources);
	}

	private static DerivedLettuceClient client(LettuceClientConfigurationBuilder application) {
		return new DerivedLettuceClient(application.build(), COMMAND_TIMEOUT, "locket");
	}

	private static ClientOptions options(LettuceClientConfiguration configuration) {
		return configuration.getClientOptions().orElseThrow();
	}

}
