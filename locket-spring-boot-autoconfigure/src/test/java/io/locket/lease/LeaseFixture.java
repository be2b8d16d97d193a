package io.locket.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.TimeoutOptions;
import io.locket.JobKey;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.test.RedisServer;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A lease service as one process of a fleet has it, with its own connection, and a look
 * into its Redis.
 */
final class LeaseFixture implements AutoCloseable {

	static final JobKeys JOB_KEYS = new JobKeys();

	final List<JobEvent> events = new CopyOnWriteArrayList<>();

	volatile JobEventListener onEvent = (event) -> this.events.size();

	final LeaseKeys keys;

	final LeaseThreads threads = LeaseThreads.create();

	final LettuceConnectionFactory connectionFactory;

	final LeaseHeartbeat heartbeat;

	final RedisLeaseService service;

	final LeaseScripts scripts;

	final StringRedisTemplate redis;

	private LeaseFixture(String host, int port, String namespace, Settings settings, LongSupplier nanoTime) {
		this.keys = LeaseKeys.of(namespace);
		this.connectionFactory = connectionFactory(host, port, settings.commandTimeout());
		JobEventPublisher publisher = new JobEventPublisher(
				List.of(this.events::add, (event) -> this.onEvent.onEvent(event)));
		this.heartbeat = new LeaseHeartbeat(settings.heartbeat(), this.threads.heartbeat(), this.threads.watch(),
				this.threads.notifier(), publisher, nanoTime);
		LeaseConnections connections = new LeaseConnections(this.connectionFactory, this.connectionFactory,
				settings.commandTimeout(), this.connectionFactory::destroy);
		this.service = new RedisLeaseService(connections, this.keys,
				new LeaseSettings(settings.duration(), settings.commandTimeout(), "test/1/a", false, 0), JOB_KEYS,
				this.heartbeat, this.threads, publisher, nanoTime);
		connections.close();
		this.scripts = new LeaseScripts(this.connectionFactory, this.keys);
		this.redis = new StringRedisTemplate(this.connectionFactory);
	}

	static LeaseFixture create() {
		return create(RedisServer.shared(), RedisServer.newNamespace(), new Settings());
	}

	static LeaseFixture create(Settings settings) {
		return create(RedisServer.shared(), RedisServer.newNamespace(), settings);
	}

	static LeaseFixture create(Settings settings, LongSupplier nanoTime) {
		return new LeaseFixture(RedisServer.shared().host(), RedisServer.shared().port(), RedisServer.newNamespace(),
				settings, nanoTime);
	}

	static LeaseFixture create(RedisServer server, String namespace, Settings settings) {
		return create(server.host(), server.port(), namespace, settings);
	}

	static LeaseFixture create(RedisServer server, String namespace, Settings settings, LongSupplier nanoTime) {
		return new LeaseFixture(server.host(), server.port(), namespace, settings, nanoTime);
	}

	static LeaseFixture create(String host, int port, String namespace, Settings settings) {
		return new LeaseFixture(host, port, namespace, settings, System::nanoTime);
	}

	static LettuceConnectionFactory connectionFactory(String host, int port, Duration commandTimeout) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port),
				LettuceClientConfiguration.builder()
					.commandTimeout(commandTimeout)
					.shutdownTimeout(Duration.ZERO)
					.clientOptions(ClientOptions.builder().timeoutOptions(TimeoutOptions.enabled()).build())
					.build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	JobKey key(Object... parts) {
		return this.service.keyOf("job", parts);
	}

	Lease acquire(Object... parts) {
		return this.service.tryAcquire("job", parts).orElseThrow();
	}

	String owner(JobKey key) {
		return this.redis.opsForValue().get(this.keys.lock(key.digest()));
	}

	<E extends JobEvent> List<E> events(Class<E> type) {
		return this.events.stream().filter(type::isInstance).map(type::cast).toList();
	}

	boolean happened(Predicate<JobEvent> event) {
		return this.events.stream().anyMatch(event);
	}

	@Override
	public void close() {
		this.service.close();
	}

	/**
	 * How a fixture's leases behave.
	 */
	record Settings(Duration duration, Duration heartbeat, Duration commandTimeout) {

		Settings() {
			this(Duration.ofSeconds(35), Duration.ofSeconds(10), Duration.ofSeconds(2));
		}

		static Settings ofMillis(long duration, long heartbeat, long commandTimeout) {
			return new Settings(Duration.ofMillis(duration), Duration.ofMillis(heartbeat),
					Duration.ofMillis(commandTimeout));
		}

	}

}
