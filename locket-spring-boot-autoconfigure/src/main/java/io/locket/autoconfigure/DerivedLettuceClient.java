package io.locket.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * The client configuration of Locket's own connections, after the application's.
 */
final class DerivedLettuceClient {

	private static final int THREADS = 2;

	/**
	 * How long a lost connection waits at most before it tries again: far less than a
	 * lease lasts, also after a long outage.
	 */
	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(1);

	private final LettuceClientConfiguration application;

	private final Duration commandTimeout;

	DerivedLettuceClient(LettuceClientConfiguration application, Duration commandTimeout) {
		this.application = application;
		this.commandTimeout = commandTimeout;
	}

	/**
	 * Threads of its own, and what the application has set for finding and reaching its
	 * servers.
	 */
	ClientResources resources() {
		DefaultClientResources.Builder builder = DefaultClientResources.builder()
			.ioThreadPoolSize(THREADS)
			.computationThreadPoolSize(THREADS)
			.reconnectDelay(Delay.exponential(Duration.ZERO, LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS));
		this.application.getClientResources()
			.ifPresent((resources) -> builder.nettyCustomizer(resources.nettyCustomizer())
				.addressResolverGroup(resources.addressResolverGroup())
				.socketAddressResolver(resources.socketAddressResolver())
				.tracing(new TracingInsideTraces(resources.tracing())));
		return builder.build();
	}

	LettuceClientConfiguration configuration(ClientResources resources) {
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.clientResources(resources)
			.clientOptions(options(this.application.getClientOptions().orElseGet(ClientOptions::create)))
			.commandTimeout(this.commandTimeout)
			.shutdownTimeout(this.application.getShutdownTimeout())
			.shutdownQuietPeriod(this.application.getShutdownQuietPeriod());
		this.application.getClientName().ifPresent(builder::clientName);
		this.application.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		if (this.application.isUseSsl()) {
			LettuceClientConfiguration.LettuceSslClientConfigurationBuilder ssl = builder.useSsl()
				.verifyPeer(this.application.getVerifyMode());
			if (this.application.isStartTls()) {
				ssl.startTls();
			}
		}
		return builder.build();
	}

	private ClientOptions options(ClientOptions options) {
		Duration connectTimeout = options.getSocketOptions().getConnectTimeout();
		SocketOptions socket = options.getSocketOptions()
			.mutate()
			.connectTimeout((connectTimeout.compareTo(this.commandTimeout) < 0) ? connectTimeout : this.commandTimeout)
			.build();
		if (options instanceof ClusterClientOptions cluster) {
			return cluster.mutate().socketOptions(socket).timeoutOptions(TimeoutOptions.enabled()).build();
		}
		return options.mutate().socketOptions(socket).timeoutOptions(TimeoutOptions.enabled()).build();
	}

}
