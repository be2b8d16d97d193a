package io.locket.autoconfigure.properties;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.aop.call.OnLost;
import io.locket.aop.call.OnUnavailable;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.core.env.Environment;

/**
 * Properties of Locket. An unknown property stops start-up.
 */
@ConfigurationProperties(prefix = "locket", ignoreUnknownFields = false)
public class LocketProperties implements InitializingBean {

	/**
	 * Whether Locket guards jobs. If false, jobs run unguarded.
	 */
	private boolean enabled = true;

	/**
	 * Namespace of all Redis keys, shared by the replicas of a fleet. Uses
	 * spring.application.name if not set.
	 */
	private @Nullable String namespace;

	/**
	 * Whether to keep job arguments out of holder records, logs, exceptions and
	 * endpoints.
	 */
	private boolean maskArguments;

	private final Redis redis = new Redis();

	private final Lease lease = new Lease();

	@NestedConfigurationProperty
	private final JobProperties job = new JobProperties();

	@NestedConfigurationProperty
	private final QueueProperties queue = new QueueProperties();

	/**
	 * Settings of individual queues, by queue name. Write names with dots, colons,
	 * underscores or upper-case letters in brackets.
	 */
	private final Map<String, NamedQueueProperties> queues = new LinkedHashMap<>();

	@NestedConfigurationProperty
	private final WorkerProperties worker = new WorkerProperties();

	@NestedConfigurationProperty
	private final RetryProperties retry = new RetryProperties();

	@NestedConfigurationProperty
	private final DeadProperties dead = new DeadProperties();

	@NestedConfigurationProperty
	private final HistoryProperties history = new HistoryProperties();

	@NestedConfigurationProperty
	private final LoggingProperties logging = new LoggingProperties();

	@NestedConfigurationProperty
	private final LeaderProperties leader = new LeaderProperties();

	@NestedConfigurationProperty
	private final MetricsProperties metrics = new MetricsProperties();

	@NestedConfigurationProperty
	private final DashboardProperties dashboard = new DashboardProperties();

	/**
	 * Recurring jobs, by schedule name. Write names with dots, underscores or upper-case
	 * letters in brackets.
	 */
	private final Map<String, ScheduleProperties> schedules = new LinkedHashMap<>();

	private final @Nullable Environment environment;

	public LocketProperties() {
		this(null);
	}

	/**
	 * Creates the defaults of an application.
	 * @param environment the configuration, which is a parameter because Spring Boot
	 * would bind a setter as a property
	 */
	@Autowired
	LocketProperties(@Nullable Environment environment) {
		this.environment = environment;
	}

	@Override
	public void afterPropertiesSet() {
		new LocketPropertiesValidator(this, this.environment).validate();
	}

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable String getNamespace() {
		return this.namespace;
	}

	public void setNamespace(@Nullable String namespace) {
		this.namespace = namespace;
	}

	public boolean isMaskArguments() {
		return this.maskArguments;
	}

	public void setMaskArguments(boolean maskArguments) {
		this.maskArguments = maskArguments;
	}

	public Redis getRedis() {
		return this.redis;
	}

	public Lease getLease() {
		return this.lease;
	}

	public JobProperties getJob() {
		return this.job;
	}

	public QueueProperties getQueue() {
		return this.queue;
	}

	public Map<String, NamedQueueProperties> getQueues() {
		return this.queues;
	}

	public WorkerProperties getWorker() {
		return this.worker;
	}

	public RetryProperties getRetry() {
		return this.retry;
	}

	public DeadProperties getDead() {
		return this.dead;
	}

	public HistoryProperties getHistory() {
		return this.history;
	}

	public LoggingProperties getLogging() {
		return this.logging;
	}

	public LeaderProperties getLeader() {
		return this.leader;
	}

	public MetricsProperties getMetrics() {
		return this.metrics;
	}

	public DashboardProperties getDashboard() {
		return this.dashboard;
	}

	public Map<String, ScheduleProperties> getSchedules() {
		return this.schedules;
	}

	/**
	 * Properties of the access to Redis.
	 */
	public static class Redis {

		/**
		 * Name of the RedisConnectionFactory bean from which Locket derives its own
		 * connections. If not set, there must be a single or a primary one.
		 */
		private @Nullable String connectionFactory;

		/**
		 * Timeout of a Redis command. At most a third of the shortest lease.
		 */
		private Duration commandTimeout = Duration.ofSeconds(2);

		/**
		 * Number of replicas that must confirm a lease before it counts.
		 */
		private int waitReplicas;

		public @Nullable String getConnectionFactory() {
			return this.connectionFactory;
		}

		public void setConnectionFactory(@Nullable String connectionFactory) {
			this.connectionFactory = connectionFactory;
		}

		public Duration getCommandTimeout() {
			return this.commandTimeout;
		}

		public void setCommandTimeout(Duration commandTimeout) {
			this.commandTimeout = commandTimeout;
		}

		public int getWaitReplicas() {
			return this.waitReplicas;
		}

		public void setWaitReplicas(int waitReplicas) {
			this.waitReplicas = waitReplicas;
		}

	}

	/**
	 * Properties of leases.
	 */
	public static class Lease {

		/**
		 * Store that holds the leases.
		 */
		private LeaseStore store = LeaseStore.REDIS;

		/**
		 * Registry key of the lock space, as in RedisLockRegistry. Uses
		 * '{namespace}:lease' if not set.
		 */
		private @Nullable String registryKey;

		/**
		 * Duration of a lease without a heartbeat. After a holder dies, its key stays
		 * held for up to this time.
		 */
		private Duration duration = Duration.ofSeconds(35);

		/**
		 * Interval at which leases are renewed. Shorter leases are renewed three times in
		 * their duration.
		 */
		private Duration heartbeat = Duration.ofSeconds(10);

		/**
		 * Behavior of a direct call when the lease store does not respond.
		 */
		private OnUnavailable onUnavailable = OnUnavailable.FAIL;

		private final OnLeaseLost onLost = new OnLeaseLost();

		public LeaseStore getStore() {
			return this.store;
		}

		public void setStore(LeaseStore store) {
			this.store = store;
		}

		public @Nullable String getRegistryKey() {
			return this.registryKey;
		}

		public void setRegistryKey(@Nullable String registryKey) {
			this.registryKey = registryKey;
		}

		public Duration getDuration() {
			return this.duration;
		}

		public void setDuration(Duration duration) {
			this.duration = duration;
		}

		public Duration getHeartbeat() {
			return this.heartbeat;
		}

		public void setHeartbeat(Duration heartbeat) {
			this.heartbeat = heartbeat;
		}

		public OnUnavailable getOnUnavailable() {
			return this.onUnavailable;
		}

		public void setOnUnavailable(OnUnavailable onUnavailable) {
			this.onUnavailable = onUnavailable;
		}

		public OnLeaseLost getOnLost() {
			return this.onLost;
		}

	}

	/**
	 * Properties for the loss of a lease.
	 */
	public static class OnLeaseLost {

		/**
		 * Behavior when a direct call loses its lease.
		 */
		private OnLost direct = OnLost.NOTIFY;

		/**
		 * Behavior when a queued run loses its lease.
		 */
		private OnLost queued = OnLost.INTERRUPT;

		public OnLost getDirect() {
			return this.direct;
		}

		public void setDirect(OnLost direct) {
			this.direct = direct;
		}

		public OnLost getQueued() {
			return this.queued;
		}

		public void setQueued(OnLost queued) {
			this.queued = queued;
		}

	}

}
