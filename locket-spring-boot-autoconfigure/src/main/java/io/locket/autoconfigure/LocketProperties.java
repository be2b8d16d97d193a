package io.locket.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.aop.OnLost;
import io.locket.aop.OnUnavailable;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Properties of Locket. An unknown one stops start-up.
 */
@ConfigurationProperties(prefix = "locket", ignoreUnknownFields = false)
public class LocketProperties implements InitializingBean {

	/**
	 * Whether Locket guards jobs. Without it they run unguarded.
	 */
	private boolean enabled = true;

	/**
	 * Name that keeps the keys of this application apart in Redis. Uses
	 * spring.application.name if it is not set.
	 */
	private @Nullable String namespace;

	/**
	 * Whether to keep the arguments of jobs out of holder records, logs, exceptions and
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
	 * What is particular to single queues, by name. Names with dots, colons, underscores
	 * or upper case are written in brackets.
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

	/**
	 * Recurring jobs, by the names of their schedules. Names with dots, underscores or
	 * upper case are written in brackets.
	 */
	private final Map<String, ScheduleProperties> schedules = new LinkedHashMap<>();

	@Override
	public void afterPropertiesSet() {
		new LocketPropertiesValidator(this).validate();
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

	public Map<String, ScheduleProperties> getSchedules() {
		return this.schedules;
	}

	/**
	 * How Redis is reached.
	 */
	public static class Redis {

		/**
		 * Name of the RedisConnectionFactory bean to use. Without it, Locket derives a
		 * connection of its own from the application's.
		 */
		private @Nullable String connectionFactory;

		/**
		 * How long a command may take. A lease lasts for three of them at least.
		 */
		private Duration commandTimeout = Duration.ofSeconds(2);

		/**
		 * Number of replicas that have to confirm a write before it counts.
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
	 * How leases are held.
	 */
	public static class Lease {

		/**
		 * Where leases are kept.
		 */
		private LeaseStore store = LeaseStore.REDIS;

		/**
		 * Registry key of the lock space, as RedisLockRegistry knows it. Uses
		 * '{namespace}:lease' if it is not set.
		 */
		private @Nullable String registryKey;

		/**
		 * How long a lease lasts without a heartbeat, which is how long a key stays taken
		 * after its holder died.
		 */
		private Duration duration = Duration.ofSeconds(35);

		/**
		 * Interval at which leases are renewed. Shorter leases are renewed more often:
		 * three times in their duration.
		 */
		private Duration heartbeat = Duration.ofSeconds(10);

		/**
		 * What a call does when the lease store gives no answer.
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
	 * What the loss of a lease means.
	 */
	public static class OnLeaseLost {

		/**
		 * What the loss of a lease means to a body that is called directly.
		 */
		private OnLost direct = OnLost.NOTIFY;

		/**
		 * What the loss of a lease means to a body that runs a queued job.
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
