package io.locket.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.lettuce.core.ClientOptions;
import io.locket.JobKey;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Lease service of one process of a fleet, with its own connection and access to its
 * Redis.
 */
public final class LeaseFixture implements AutoCloseable {

	public static final JobKeys JOB_KEYS = new JobKeys();

	private static boolean connected;

	public final List<JobEvent> events = new CopyOnWriteArrayList<>();

	public volatile JobEventListener onEvent = (event) -> this.events.size();

	public final LeaseKeys keys;

	public final LeaseThreads threads = LeaseThreads.create();

	public final LettuceConnectionFactory connectionFactory;

	private final RedisConnections connections;

	public final LeaseHeartbeat heartbeat;

	public final RedisLeaseService service;

	public final LeaseScripts scripts;

	public final StringRedisTemplate redis;

	private LeaseFixture(String host, int port, String namespace, Settings settings, LongSupplier nanoTime) {
		this(host, port, namespace, settings, nanoTime, 0);
	}

	private LeaseFixture(String host, int port, String namespace, Settings settings, LongSupplier nanoTime,
			int replicas) {
		this.keys = LeaseKeys.of(namespace);
		this.connectionFactory = connectionFactory(host, port, settings.commandTimeout());
		JobEventPublisher publisher = new JobEventPublisher(
				List.of(this.events::add, (event) -> this.onEvent.onEvent(event)));
		this.heartbeat = new LeaseHeartbeat(settings.heartbeat(), this.threads.heartbeat(), this.threads.watch(),
				this.threads.notifier(), publisher, nanoTime);
		LettuceConnectionFactory waiting = (replicas > 0) ? waitingFactory(host, port, settings.commandTimeout())
				: this.connectionFactory;
		this.connections = new RedisConnections(this.connectionFactory, waiting, settings.commandTimeout(), () -> {
			this.connectionFactory.destroy();
			waiting.destroy();
		});
		this.service = new RedisLeaseService(this.connections, this.keys,
				new LeaseSettings(settings.duration(), settings.commandTimeout(), "test/1/a", false, replicas),
				JOB_KEYS, this.heartbeat, this.threads, publisher, nanoTime);
		this.connections.close();
		this.scripts = new LeaseScripts(this.connectionFactory, this.keys, settings.commandTimeout());
		this.redis = new StringRedisTemplate(this.connectionFactory);
	}

	/**
	 * Keeps the connections open, and returns their release.
	 */
	public Runnable retainConnections() {
		return this.connections.retain()::close;
	}

	/**
	 * Connects with a long timeout. The first connection of a process takes long, because
	 * it loads the classes of the driver, and some tests have short timeouts. A child
	 * process does not do this, because the shared server would be one of its own.
	 */
	private static synchronized void connectOnce() {
		if (connected) {
			return;
		}
		LettuceConnectionFactory first = connectionFactory(RedisServer.shared().host(), RedisServer.shared().port(),
				Duration.ofSeconds(20));
		try (RedisConnection connection = first.getConnection()) {
			connection.ping();
			connected = true;
		}
		finally {
			first.destroy();
		}
	}

	public static LeaseFixture create() {
		return create(RedisServer.shared(), RedisServer.newNamespace(), new Settings());
	}

	public static LeaseFixture create(Settings settings) {
		return create(RedisServer.shared(), RedisServer.newNamespace(), settings);
	}

	public static LeaseFixture create(Settings settings, LongSupplier nanoTime) {
		return create(RedisServer.shared(), RedisServer.newNamespace(), settings, nanoTime);
	}

	public static LeaseFixture create(RedisServer server, String namespace, Settings settings) {
		return create(server, namespace, settings, System::nanoTime);
	}

	public static LeaseFixture create(RedisServer server, String namespace, Settings settings, LongSupplier nanoTime) {
		connectOnce();
		return new LeaseFixture(server.host(), server.port(), namespace, settings, nanoTime);
	}

	public static LeaseFixture create(String host, int port, String namespace, Settings settings) {
		return new LeaseFixture(host, port, namespace, settings, System::nanoTime);
	}

	public static LeaseFixture replicated(RedisServer server, int replicas, Settings settings) {
		connectOnce();
		return new LeaseFixture(server.host(), server.port(), RedisServer.newNamespace(), settings, System::nanoTime,
				replicas);
	}

	public static LettuceConnectionFactory connectionFactory(String host, int port, Duration commandTimeout) {
		LettuceConnectionFactory factory = new OwnConnectionFactory(new RedisStandaloneConfiguration(host, port),
				client(commandTimeout, true), "key");
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static LettuceConnectionFactory waitingFactory(String host, int port, Duration commandTimeout) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port),
				client(commandTimeout, false));
		factory.setShareNativeConnection(false);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static LettuceClientConfiguration client(Duration commandTimeout, boolean reconnects) {
		return LettuceClientConfiguration.builder()
			.commandTimeout(commandTimeout)
			.shutdownTimeout(Duration.ZERO)
			.clientOptions(ClientOptions.builder().autoReconnect(reconnects).build())
			.build();
	}

	public JobKey key(Object... parts) {
		return this.service.keyOf("job", parts);
	}

	public Lease acquire(Object... parts) {
		return this.service.tryAcquire("job", parts).orElseThrow();
	}

	public String owner(JobKey key) {
		String value = this.redis.opsForValue().get(this.keys.lock(key.digest()));
		return (value != null) ? value.split(" ")[0] : null;
	}

	public <E extends JobEvent> List<E> events(Class<E> type) {
		return this.events.stream().filter(type::isInstance).map(type::cast).toList();
	}

	public boolean happened(Predicate<JobEvent> event) {
		return this.events.stream().anyMatch(event);
	}

	@Override
	public void close() {
		this.service.close();
	}

	/**
	 * Returns connections without a subscription, so no message wakes a waiter.
	 */
	static RedisConnectionFactory noConnections() {
		RedisConnectionFactory connections = mock(RedisConnectionFactory.class);
		given(connections.getConnection()).willThrow(new RedisConnectionFailureException("none"));
		return connections;
	}

	/**
	 * Settings of a fixture's leases.
	 */
	public record Settings(Duration duration, Duration heartbeat, Duration commandTimeout) {

		public Settings() {
			this(Duration.ofSeconds(35), Duration.ofSeconds(10), Duration.ofSeconds(2));
		}

		public static Settings ofMillis(long duration, long heartbeat, long commandTimeout) {
			return new Settings(Duration.ofMillis(duration), Duration.ofMillis(heartbeat),
					Duration.ofMillis(commandTimeout));
		}

	}

}
