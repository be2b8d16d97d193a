package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.event.JobEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Queue of one process, with access to its data in Redis. Time is either that of Redis or
 * set by the test.
 */
final class QueueFixture implements AutoCloseable {

	static final JobKeys JOB_KEYS = new JobKeys();

	static final QueueSettings SETTINGS = new QueueSettings(Duration.ofSeconds(2), 3, Duration.ofHours(1), 1000,
			Duration.ofDays(30), 10_000);

	private static final AtomicInteger ids = new AtomicInteger(100_000_000);

	final List<JobEvent> events = new CopyOnWriteArrayList<>();

	final LeaseKeys leaseKeys;

	final LettuceConnectionFactory connectionFactory;

	final RedisJobQueue queue;

	final RedisJobStore store;

	final StringRedisTemplate redis;

	private final boolean manual;

	private QueueFixture(RedisConnections connections, LeaseKeys leaseKeys, boolean manual, boolean told) {
		this(connections, leaseKeys, manual, told, manual ? Shared.MANUAL : Shared.SCRIPTS, SETTINGS);
	}

	private QueueFixture(RedisConnections connections, LeaseKeys leaseKeys, boolean manual, boolean told,
			QueueScripts scripts, QueueSettings settings) {
		this.manual = manual;
		this.leaseKeys = leaseKeys;
		this.connectionFactory = (LettuceConnectionFactory) connections.shared();
		this.redis = new StringRedisTemplate(this.connectionFactory);
		if (manual) {
			this.redis.opsForValue().setIfAbsent(name("test-now"), "1000000000000");
		}
		JobEventPublisher publisher = new JobEventPublisher(told ? List.of(this.events::add) : List.of());
		this.queue = new RedisJobQueue(connections, this.leaseKeys, settings, publisher, scripts);
		this.store = new RedisJobStore(connections, this.leaseKeys, publisher, scripts);
	}

	private static QueueFixture create(LettuceConnectionFactory connectionFactory, Runnable end, LeaseKeys leaseKeys,
			boolean manual) {
		try (RedisConnections connections = new RedisConnections(connectionFactory, connectionFactory,
				Duration.ofSeconds(2), end)) {
			return new QueueFixture(connections, leaseKeys, manual, true);
		}
	}

	/**
	 * A queue with a registry key that other namespaces may have, too.
	 */
	static QueueFixture createOn(String registryKey) {
		LettuceConnectionFactory connectionFactory = connect(RedisServer.shared(), Duration.ofSeconds(30));
		return create(connectionFactory, connectionFactory::destroy,
				new LeaseKeys(RedisServer.newNamespace(), registryKey), false);
	}

	static QueueFixture create() {
		return create(RedisServer.shared(), RedisServer.newNamespace());
	}

	static QueueFixture create(RedisServer server, String namespace) {
		return create(server, namespace, Duration.ofSeconds(30));
	}

	/**
	 * A queue that keeps no events, for more jobs than can be remembered.
	 */
	static QueueFixture createSilent(RedisServer server, String namespace) {
		return createSilent(server, namespace, Shared.SCRIPTS);
	}

	static QueueFixture createSilent(RedisServer server, String namespace, QueueScripts scripts) {
		LettuceConnectionFactory connectionFactory = connect(server, Duration.ofSeconds(30));
		try (RedisConnections connections = new RedisConnections(connectionFactory, connectionFactory,
				Duration.ofSeconds(2), connectionFactory::destroy)) {
			return new QueueFixture(connections, LeaseKeys.of(namespace), false, false, scripts, SETTINGS);
		}
	}

	/**
	 * A queue on the connections of an application.
	 */
	static QueueFixture create(RedisConnections connections, String namespace) {
		return new QueueFixture(connections, LeaseKeys.of(namespace), false, true);
	}

	/**
	 * A queue whose time stands still until it is moved, and whose segments of ready jobs
	 * are small.
	 */
	static QueueFixture manual() {
		return create(Shared.CONNECTIONS, () -> {
		}, LeaseKeys.of(RedisServer.newNamespace()), true);
	}

	/**
	 * The same queue as a process has it that knows the next version of records, on the
	 * same clock.
	 */
	QueueFixture later() {
		return with(LaterScripts.load());
	}

	/**
	 * The same queue with other scripts, which have a manual clock.
	 */
	QueueFixture with(QueueScripts scripts) {
		return with(scripts, SETTINGS);
	}

	/**
	 * The same queue with other scripts, which have a manual clock, and other settings.
	 */
	QueueFixture with(QueueScripts scripts, QueueSettings settings) {
		try (RedisConnections connections = new RedisConnections(this.connectionFactory, this.connectionFactory,
				Duration.ofSeconds(2), this.events::clear)) {
			return new QueueFixture(connections, this.leaseKeys, true, true, scripts, settings);
		}
	}

	static QueueFixture create(RedisServer server, String namespace, Duration commandTimeout) {
		LettuceConnectionFactory connectionFactory = connect(server, commandTimeout);
		return create(connectionFactory, connectionFactory::destroy, LeaseKeys.of(namespace), false);
	}

	private static LettuceConnectionFactory connect(RedisServer server, Duration commandTimeout) {
		LettuceConnectionFactory connectionFactory = new OwnConnectionFactory(
				new RedisStandaloneConfiguration(server.host(), server.port()),
				LettuceClientConfiguration.builder()
					.commandTimeout(commandTimeout)
					.shutdownTimeout(Duration.ZERO)
					.build(),
				"key");
		connectionFactory.afterPropertiesSet();
		connectionFactory.start();
		return connectionFactory;
	}

	/**
	 * Another part of Locket on the same connections, and the same clock.
	 */
	QueueExtension extension() {
		JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
		try (RedisConnections connections = new RedisConnections(this.connectionFactory, this.connectionFactory,
				Duration.ofSeconds(2), () -> this.events.size())) {
			return this.manual ? new QueueExtension(connections, this.leaseKeys, publisher, Shared.FILES)
					: new QueueExtension(connections, this.leaseKeys, publisher);
		}
	}

	/**
	 * A service of leases on the keys of this queue, which has to be closed.
	 */
	RedisLeaseService leases() {
		LeaseThreads threads = LeaseThreads.create();
		JobEventPublisher publisher = new JobEventPublisher(List.of());
		Duration timeout = Duration.ofSeconds(2);
		try (RedisConnections connections = new RedisConnections(this.connectionFactory, this.connectionFactory,
				timeout, () -> this.events.size())) {
			return new RedisLeaseService(connections, this.leaseKeys,
					new LeaseSettings(Duration.ofSeconds(35), timeout, "test/2/b", false, 0), JOB_KEYS,
					new LeaseHeartbeat(Duration.ofSeconds(10), threads.heartbeat(), threads.watch(), threads.notifier(),
							publisher, System::nanoTime),
					threads, publisher, System::nanoTime);
		}
	}

	/**
	 * The scripts of a {@link #manual() manual} queue, for others on the same
	 * connections.
	 */
	static QueueScripts manualScripts() {
		return Shared.MANUAL;
	}

	String name(String suffix) {
		return "{" + this.leaseKeys.namespace() + "}:" + suffix;
	}

	long now() {
		return Long.parseLong(this.redis.opsForValue().get(name("test-now")));
	}

	void advance(Duration time) {
		this.redis.opsForValue().increment(name("test-now"), time.toMillis());
	}

	/**
	 * Returns the record of a job, or {@code null}.
	 */
	byte[] record(String id) {
		return field("jobs", id);
	}

	void record(String id, byte[] record) {
		field("jobs", id, record);
	}

	/**
	 * Writes a text where a record belongs.
	 */
	void record(String id, String text) {
		record(id, text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Change the record of a job.
	 */
	void change(String id, Consumer<RecordBytes> change) {
		RecordBytes record = RecordBytes.of(record(id));
		change.accept(record);
		record(id, record.bytes());
	}

	/**
	 * Returns a field of a hash, byte for byte, or {@code null}.
	 */
	byte[] field(String hash, String field) {
		byte[] name = name(hash).getBytes(StandardCharsets.UTF_8);
		return this.redis.execute((RedisCallback<byte[]>) (connection) -> connection.hashCommands()
			.hGet(name, field.getBytes(StandardCharsets.UTF_8)));
	}

	void field(String hash, String field, byte[] value) {
		byte[] name = name(hash).getBytes(StandardCharsets.UTF_8);
		this.redis.execute((RedisCallback<Boolean>) (connection) -> connection.hashCommands()
			.hSet(name, field.getBytes(StandardCharsets.UTF_8), value));
	}

	/**
	 * Change the counters of a queue.
	 */
	void count(String queue, Consumer<CounterBytes> change) {
		byte[] bytes = field("state", "q:" + queue);
		CounterBytes counters = (bytes != null) ? CounterBytes.of(bytes) : CounterBytes.none();
		change.accept(counters);
		field("state", "q:" + queue, counters.bytes());
	}

	String lock(JobKey key) {
		return this.leaseKeys.registryKey() + ":" + key.digest();
	}

	/**
	 * Acquires a key as a plain lock registry does.
	 */
	void takeForeign(JobKey key, Duration time) {
		if (this.manual) {
			this.redis.opsForValue().set(lock(key), "foreign");
			this.redis.opsForHash().put(name("test-expiry"), lock(key), Long.toString(now() + time.toMillis()));
		}
		else {
			this.redis.opsForValue().set(lock(key), "foreign", time);
		}
	}

	void releaseForeign(JobKey key) {
		if ("foreign".equals(this.redis.opsForValue().get(lock(key)))) {
			this.redis.delete(lock(key));
		}
	}

	static JobKey key(Object... parts) {
		return JOB_KEYS.keyOf("job", List.of(parts), false);
	}

	static NewJob job(String id, LockStrategy lock, Object... key) {
		return job(id, "default", lock, key);
	}

	static NewJob job(String id, String queue, LockStrategy lock, Object... key) {
		return NewJob.builder(id, "job", queue)
			.arguments("[\"" + id + "\"]")
			.unique(lock, (lock == LockStrategy.NONE) ? null : key(key),
					(lock == LockStrategy.UNTIL_EXPIRED) ? Duration.ofHours(1) : null)
			.retries(3)
			.build();
	}

	static String newId() {
		return "j" + ids.incrementAndGet();
	}

	/**
	 * Returns an id of a request, which is greater than those before, and may share a
	 * call.
	 */
	static String requestId() {
		return "r" + ids.incrementAndGet() + "9";
	}

	static ReservationRequest request(int slots, String... queues) {
		return request("poller", slots, queues);
	}

	static ReservationRequest request(String poller, int slots, String... queues) {
		List<QueueLimit> limits = new ArrayList<>();
		for (String queue : queues) {
			limits.add(new QueueLimit(queue, 0));
		}
		return new ReservationRequest(requestId(), poller, "test/1/a", "thread-1", limits, slots);
	}

	/**
	 * Returns the request of a worker that cannot run the jobs of a name.
	 */
	static ReservationRequest leavingOut(String job, int slots, String... queues) {
		ReservationRequest request = request(slots, queues);
		return new ReservationRequest(request.id(), request.poller(), request.instance(), request.thread(),
				request.queues(), slots, Set.of(job));
	}

	Reservation reserve(int slots, String... queues) {
		return this.queue.reserve(request(slots, queues));
	}

	List<String> reserveIds(int slots, String... queues) {
		return reserve(slots, queues).jobs().stream().map((job) -> job.record().id()).toList();
	}

	@Override
	public void close() {
		this.store.close();
		this.queue.close();
	}

	private static final class Shared {

		static final QueueScripts SCRIPTS = QueueScripts.load();

		static final ChangedFiles FILES = ChangedFiles.manual();

		static final QueueScripts MANUAL = QueueScripts.load(FILES);

		static final LettuceConnectionFactory CONNECTIONS = connect(RedisServer.shared(), Duration.ofSeconds(30));

	}

}
