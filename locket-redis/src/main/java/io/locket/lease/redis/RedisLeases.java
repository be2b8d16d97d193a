package io.locket.lease.redis;

import java.time.Duration;
import java.util.List;

import io.locket.event.JobEventListener;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.InstanceNames;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.redis.RedisConnections;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.Assert;

/**
 * Leases in Redis for an application without Spring Boot. The leases are in the same lock
 * space as those of applications with the starter and the same namespace.
 *
 * <p>
 * The application keeps its connections: {@link #close()} does not destroy them. Their
 * command timeout must be at most a third of the duration of a lease. Thread-safe.
 */
public final class RedisLeases implements AutoCloseable {

	private final RedisLeaseService service;

	private final RedisConnections connections;

	private RedisLeases(Builder builder) {
		LeaseThreads threads = LeaseThreads.create();
		JobEventPublisher events = new JobEventPublisher(builder.listeners);
		LeaseHeartbeat heartbeat = new LeaseHeartbeat(builder.heartbeat, threads.heartbeat(), threads.watch(),
				threads.notifier(), events, System::nanoTime);
		this.connections = new RedisConnections(builder.connectionFactory, builder.connectionFactory,
				builder.commandTimeout, () -> {
				});
		this.service = new RedisLeaseService(this.connections, LeaseKeys.of(builder.namespace),
				new LeaseSettings(builder.duration, builder.commandTimeout, InstanceNames.create(), false, 0),
				new JobKeys(), heartbeat, threads, events, System::nanoTime);
	}

	/**
	 * Starts to build leases.
	 * @param connectionFactory the connections to Redis
	 * @param namespace the prefix of the keys in Redis; {@code locket.namespace} of
	 * applications with the starter
	 * @return a builder
	 */
	public static Builder builder(RedisConnectionFactory connectionFactory, String namespace) {
		return new Builder(connectionFactory, namespace);
	}

	/**
	 * Returns the lease service.
	 * @return the service, until {@link #close()}
	 */
	public LeaseService service() {
		return this.service;
	}

	/**
	 * Stops the service. Leases that are still held are renewed until their holders close
	 * them.
	 */
	@Override
	public void close() {
		this.service.close();
		this.connections.close();
	}

	/**
	 * Builder of {@link RedisLeases}.
	 */
	public static final class Builder {

		private final RedisConnectionFactory connectionFactory;

		private final String namespace;

		private Duration duration = Duration.ofSeconds(35);

		private Duration heartbeat = Duration.ofSeconds(10);

		private Duration commandTimeout = Duration.ofSeconds(2);

		private List<JobEventListener> listeners = List.of();

		private Builder(RedisConnectionFactory connectionFactory, String namespace) {
			Assert.notNull(connectionFactory, "'connectionFactory' must not be null");
			Assert.hasText(namespace, "'namespace' must not be empty");
			this.connectionFactory = connectionFactory;
			this.namespace = namespace;
		}

		/**
		 * Sets the time for which a lease stays held after its holder died.
		 * @param duration the duration of a lease, 35 seconds by default
		 * @return this builder
		 */
		public Builder duration(Duration duration) {
			this.duration = duration;
			return this;
		}

		/**
		 * Sets the interval of renewals. Leases are renewed at least three times within
		 * their duration, whatever the interval.
		 * @param heartbeat the interval, 10 seconds by default
		 * @return this builder
		 */
		public Builder heartbeat(Duration heartbeat) {
			this.heartbeat = heartbeat;
			return this;
		}

		/**
		 * Sets the maximum duration of a command, as the connections have it.
		 * @param commandTimeout the timeout, 2 seconds by default
		 * @return this builder
		 */
		public Builder commandTimeout(Duration commandTimeout) {
			this.commandTimeout = commandTimeout;
			return this;
		}

		/**
		 * Sets the listeners of the events of leases.
		 * @param listeners the listeners
		 * @return this builder
		 */
		public Builder listeners(List<JobEventListener> listeners) {
			this.listeners = List.copyOf(listeners);
			return this;
		}

		/**
		 * Builds the leases.
		 * @return the leases, to be closed by the caller
		 * @throws IllegalArgumentException if the command timeout is over a third of the
		 * duration
		 */
		public RedisLeases build() {
			Assert.isTrue(this.commandTimeout.multipliedBy(3).compareTo(this.duration) <= 0,
					() -> "'commandTimeout' must be at most a third of 'duration'");
			return new RedisLeases(this);
		}

	}

}
