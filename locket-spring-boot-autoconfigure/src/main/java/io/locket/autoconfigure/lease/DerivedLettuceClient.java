package io.locket.autoconfigure.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.tracing.MicrometerTracing;
import io.lettuce.core.tracing.Tracing;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.util.ClassUtils;

/**
 * The client configuration of Locket's own connections, derived from that of the
 * application.
 */
final class DerivedLettuceClient {

	private static final int THREADS = 2;

	private static final String TRACER = "io.micrometer.tracing.Tracer";

	/**
	 * The maximum delay between reconnects, far below the duration of a lease.
	 */
	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(1);

	/**
	 * The idle time after which the operating system checks whether the peer is alive. A
	 * dead peer is detected within 30 seconds more. Firewalls keep idle connections for
	 * longer.
	 */
	private static final SocketOptions.KeepAliveOptions KEEP_ALIVE = SocketOptions.KeepAliveOptions.builder()
		.enable()
		.idle(Duration.ofSeconds(30))
		.interval(Duration.ofSeconds(10))
		.count(3)
		.build();

	private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(30);

	private static final Duration TOPOLOGY_REFRESH_AT_MOST_EVERY = Duration.ofSeconds(1);

	private final LettuceClientConfiguration application;

	private final Duration commandTimeout;

	private final String name;

	/**
	 * Creates a configuration.
	 * @param application the configuration of the application
	 * @param commandTimeout the timeout of a command
	 * @param name the name of the connections on the server
	 */
	DerivedLettuceClient(LettuceClientConfiguration application, Duration commandTimeout, String name) {
		this.application = application;
		this.commandTimeout = commandTimeout;
		this.name = name;
	}

	/**
	 * Creates the client resources: threads of Locket's own, and the application's
	 * settings for resolving and reaching servers.
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
				.tracing(tracing(resources.tracing())));
		return builder.build();
	}

	/**
	 * Returns the tracing of commands. It is disabled if there is no tracer, because
	 * Micrometer's observations would then belong to no trace.
	 */
	private static Tracing tracing(Tracing application) {
		boolean untraced = application instanceof MicrometerTracing && !ClassUtils.isPresent(TRACER, null);
		return untraced ? Tracing.disabled() : new TracingInsideTraces(application);
	}

	/**
	 * Returns the configuration for a single server or its Sentinels.
	 */
	LettuceClientConfiguration configuration(ClientResources resources) {
		return configuration(resources, applicationOptions());
	}

	/**
	 * Returns the configuration for a cluster.
	 * @param configuredRefresh whether the application configures the topology refresh.
	 * If not, the topology is refreshed periodically and on every sign of a change
	 */
	LettuceClientConfiguration clusterConfiguration(ClientResources resources, boolean configuredRefresh) {
		ClientOptions options = applicationOptions();
		ClusterClientOptions cluster = (options instanceof ClusterClientOptions given) ? given
				: ClusterClientOptions.builder(options).build();
		ClusterTopologyRefreshOptions refresh = cluster.getTopologyRefreshOptions();
		if (!configuredRefresh && isDefault(refresh)) {
			cluster = cluster.mutate().topologyRefreshOptions(refresh(refresh)).build();
		}
		return configuration(resources, cluster);
	}

	private static boolean isDefault(@Nullable ClusterTopologyRefreshOptions refresh) {
		return refresh == null || (!refresh.isPeriodicRefreshEnabled() && refresh.getAdaptiveRefreshTriggers()
			.equals(ClusterTopologyRefreshOptions.DEFAULT_ADAPTIVE_REFRESH_TRIGGERS));
	}

	/**
	 * Creates refresh options with all adaptive triggers. Lettuce 7 enables all triggers
	 * by default and deprecates their selection. Lettuce 6 enables none.
	 */
	@SuppressWarnings("deprecation")
	private static ClusterTopologyRefreshOptions refresh(@Nullable ClusterTopologyRefreshOptions given) {
		return ClusterTopologyRefreshOptions.builder()
			.dynamicRefreshSources(given == null || given.useDynamicRefreshSources())
			.enablePeriodicRefresh(TOPOLOGY_REFRESH)
			.enableAdaptiveRefreshTrigger(ClusterTopologyRefreshOptions.RefreshTrigger.values())
			.adaptiveRefreshTriggersTimeout(TOPOLOGY_REFRESH_AT_MOST_EVERY)
			.build();
	}

	/**
	 * Returns the options of the application, with reconnects. Locket keeps one
	 * connection open. Without reconnects, the first disconnect would end all of its
	 * calls.
	 */
	private ClientOptions applicationOptions() {
		return this.application.getClientOptions()
			.orElseGet(ClientOptions::create)
			.mutate()
			.autoReconnect(true)
			.suspendReconnectOnProtocolFailure(false)
			.build();
	}

	/**
	 * Returns the configuration for connections that wait for replicas. They do not
	 * reconnect automatically, because a {@code WAIT} that is repeated on a new
	 * connection waits for nothing.
	 */
	LettuceClientConfiguration waiting(ClientResources resources) {
		return configuration(resources, applicationOptions().mutate().autoReconnect(false).build());
	}

	private LettuceClientConfiguration configuration(ClientResources resources, ClientOptions options) {
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.clientResources(resources)
			.clientOptions(withTimeouts(options))
			.clientName(this.name)
			.commandTimeout(this.commandTimeout)
			.shutdownTimeout(this.application.getShutdownTimeout())
			.shutdownQuietPeriod(this.application.getShutdownQuietPeriod());
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

	/**
	 * Returns the keep-alive options of the application, or options that detect a dead
	 * peer quickly if it has set none.
	 */
	private static SocketOptions.KeepAliveOptions keepAlive(SocketOptions.KeepAliveOptions application) {
		return application.getIdle().equals(SocketOptions.KeepAliveOptions.DEFAULT_IDLE) ? KEEP_ALIVE : application;
	}

	/**
	 * Returns the options of the application with a connect timeout of at most the
	 * command timeout, with keep-alive, and without a timer for each command. Each caller
	 * waits for the command timeout itself and then cancels its command.
	 */
	private ClientOptions withTimeouts(ClientOptions options) {
		Duration connectTimeout = options.getSocketOptions().getConnectTimeout();
		SocketOptions socket = options.getSocketOptions()
			.mutate()
			.connectTimeout((connectTimeout.compareTo(this.commandTimeout) < 0) ? connectTimeout : this.commandTimeout)
			.keepAlive(keepAlive(options.getSocketOptions().getKeepAlive()))
			.build();
		if (options instanceof ClusterClientOptions cluster) {
			return cluster.mutate().socketOptions(socket).timeoutOptions(TimeoutOptions.create()).build();
		}
		return options.mutate().socketOptions(socket).timeoutOptions(TimeoutOptions.create()).build();
	}

}
