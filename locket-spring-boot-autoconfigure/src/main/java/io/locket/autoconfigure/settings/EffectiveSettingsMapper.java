package io.locket.autoconfigure.settings;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.job.JobSettingsMapper;
import io.locket.autoconfigure.properties.LeaderProperties;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.NamedQueueProperties;
import io.locket.autoconfigure.properties.RetryProperties;
import io.locket.job.definition.JobSettings;
import io.locket.job.definition.JobStrategies;
import io.locket.settings.EffectiveSettings;
import io.locket.settings.EffectiveSettings.QueuePolicy;
import io.locket.worker.settings.GroupSettings;
import org.jspecify.annotations.Nullable;

/**
 * Mapper from the properties and the decisions at start-up to {@link EffectiveSettings}.
 */
final class EffectiveSettingsMapper {

	private final LocketProperties properties;

	private final JobSettings jobs;

	private final List<GroupSettings> groups;

	private final Set<String> served;

	/**
	 * Creates a mapper.
	 * @param properties the properties
	 * @param groups the groups of workers of this process
	 */
	EffectiveSettingsMapper(LocketProperties properties, List<GroupSettings> groups) {
		this.properties = properties;
		this.jobs = JobSettingsMapper.map(properties);
		this.groups = groups;
		this.served = groups.stream()
			.flatMap((group) -> group.queues().stream())
			.map((queue) -> queue.name())
			.collect(Collectors.toSet());
	}

	/**
	 * Creates the settings.
	 * @param instance this process
	 * @param leaderGroup the group that elects a leader
	 * @param registryKey the registry key, or {@code null} without Redis
	 * @param commandTimeout the timeout of a command
	 * @param named the queues that jobs here declare
	 * @return the settings
	 */
	EffectiveSettings map(LocketInstance instance, String leaderGroup, @Nullable String registryKey,
			Duration commandTimeout, Set<String> named) {
		LocketProperties.Lease lease = this.properties.getLease();
		RetryProperties retry = this.properties.getRetry();
		RetryProperties.Backoff backoff = retry.getBackoff();
		Set<String> queues = new TreeSet<>(named);
		queues.addAll(this.served);
		queues.addAll(this.properties.getQueues().keySet());
		queues.add(this.properties.getQueue().getDefaultName());
		Map<String, QueuePolicy> policies = new TreeMap<>();
		queues.forEach((queue) -> policies.put(queue, policy(queue)));
		return new EffectiveSettings(instance.namespace(), instance.name(), this.properties.isMaskArguments(),
				new EffectiveSettings.Redis(commandTimeout, this.properties.getRedis().getWaitReplicas()),
				new EffectiveSettings.Lease(lease.getStore().name(), registryKey, lease.getDuration(),
						shorter(lease.getHeartbeat(), lease.getDuration().dividedBy(3)),
						lease.getOnUnavailable().name(), lease.getOnLost().getDirect().name(),
						lease.getOnLost().getQueued().name()),
				new EffectiveSettings.Enqueue(this.properties.getQueue().getDefaultName(),
						this.properties.getQueue().getMaxPayload().toBytes(),
						this.properties.getQueue().isAfterCommit()),
				new EffectiveSettings.Retry(retry.getMax(), retry.getMaxReclaims(), backoff.getInitial(),
						backoff.getMultiplier(), backoff.getMax(), backoff.getJitter()),
				new EffectiveSettings.History(this.properties.getHistory().getMaxAge(),
						this.properties.getHistory().getMaxSize(), this.properties.getHistory().getAttempts()),
				new EffectiveSettings.Retention(this.properties.getDead().getMaxAge(),
						this.properties.getDead().getMaxSize()),
				leader(leaderGroup), this.groups.stream().map(EffectiveSettingsMapper::group).toList(),
				this.properties.getWorker().getShutdownGrace(), policies, policy(null));
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private EffectiveSettings.Leader leader(String group) {
		LeaderProperties leader = this.properties.getLeader();
		Boolean enabled = leader.getEnabled();
		String election = "WITH_SCHEDULES";
		if (enabled != null) {
			election = enabled ? "ALWAYS" : "NEVER";
		}
		return new EffectiveSettings.Leader(election, group, leader.getTtl(), leader.getMisfireAfter());
	}

	private static EffectiveSettings.WorkerGroup group(GroupSettings group) {
		Map<String, Integer> queues = new LinkedHashMap<>();
		group.queues().forEach((queue) -> queues.put(queue.name(), queue.weight()));
		return new EffectiveSettings.WorkerGroup(group.name(), queues, group.order().name(), group.concurrency(),
				group.threads().name(), group.batch(), group.batchHold(), group.pollInterval());
	}

	/**
	 * Returns the policy of a queue, or of all queues without settings.
	 */
	private QueuePolicy policy(@Nullable String name) {
		String queue = (name != null) ? name : "";
		NamedQueueProperties own = this.properties.getQueues().getOrDefault(queue, new NamedQueueProperties());
		JobStrategies strategies = JobStrategies.ofQueue(queue, this.jobs);
		Duration uniqueFor = (own.getUniqueFor() != null) ? own.getUniqueFor()
				: this.properties.getJob().getUniqueFor();
		return new QueuePolicy(strategies.lock(), strategies.onDuplicate(), strategies.queued(), strategies.direct(),
				uniqueFor, own.getMaxRunning(), this.served.contains(queue));
	}

}
