package io.locket.autoconfigure.properties;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.IntPredicate;

import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.autoconfigure.diagnostics.WrittenKeys;
import io.locket.schedule.ScheduleRules;
import io.locket.text.LineText;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Validator of {@link LocketProperties}.
 */
public final class LocketPropertiesValidator {

	private static final int LONGEST_NAME = 100;

	private final LocketProperties properties;

	private final @Nullable Environment environment;

	private final PropertyProblems problems;

	/**
	 * Creates a validator.
	 * @param properties the bound properties
	 * @param environment the configuration, or {@code null} if it is not known
	 */
	LocketPropertiesValidator(LocketProperties properties, @Nullable Environment environment) {
		this.properties = properties;
		this.environment = environment;
		this.problems = new PropertyProblems(environment);
	}

	/**
	 * Validates the properties. Before that, removes the keys that environment variables
	 * have added for queues, groups and schedules with another spelling. Such a group
	 * would run its jobs twice as often at once.
	 */
	void validate() {
		if (this.environment instanceof ConfigurableEnvironment written) {
			keepWritten(new WrittenKeys("locket.queues", written), this.properties.getQueues());
			keepWritten(new WrittenKeys("locket.worker.groups", written), this.properties.getWorker().getGroups());
			keepWritten(new WrittenKeys("locket.schedules", written), this.properties.getSchedules());
		}
		checkNames();
		checkDurations();
		checkDashboard();
		this.problems.checkNotNegative("locket.redis.wait-replicas", this.properties.getRedis().getWaitReplicas());
		new QueuePropertiesValidator(this.properties, this.problems).validate();
		new WorkerPropertiesValidator(this.properties.getWorker(), this.problems, Runtime.version().feature())
			.validate();
		this.problems.throwIfAny();
	}

	private void keepWritten(WrittenKeys written, Map<String, ?> bound) {
		bound.keySet().removeIf(written::isOtherwiseWritten);
		written.check(this.problems);
	}

	private void checkNames() {
		checkName("locket.namespace", this.properties.getNamespace(), LocketPropertiesValidator::isForbiddenInNamespace,
				"must not have braces, white space or control characters",
				"Write a name such as that of the application: letters, digits, '-', '.', ':'.");
		checkName("locket.lease.registry-key", this.properties.getLease().getRegistryKey(),
				LocketPropertiesValidator::isBlankOrControl, "must not have white space or control characters",
				"Write the registry key that the other services use, such as 'locks'.");
		String group = this.properties.getLeader().getGroup();
		if (group != null && !ScheduleRules.isGroup(group)) {
			this.problems.add("locket.leader.group", "'" + LineText.of(group) + "'", "is not a valid group name.",
					"Write " + ScheduleRules.GROUP + ".");
		}
	}

	private void checkName(String property, @Nullable String name, IntPredicate forbidden, String rule, String action) {
		if (name == null) {
			return;
		}
		if (name.isEmpty() || name.length() > LONGEST_NAME || name.chars().anyMatch(forbidden)) {
			this.problems.add(property, "'" + LineText.of(name) + "'",
					rule + " and must have 1 to " + LONGEST_NAME + " characters.", action);
		}
	}

	private void checkDashboard() {
		String path = this.properties.getDashboard().getBasePath();
		if (!path.matches("(/[\\w.~-]+)+")) {
			this.problems.add("locket.dashboard.base-path", "'" + LineText.of(path) + "'", "is not a valid path.",
					"Write a path that begins with a slash, such as /ops/locket. Its segments may have letters, digits,"
							+ " '_', '.', '~' and '-'.");
		}
	}

	private void checkDurations() {
		Duration timeout = this.properties.getRedis().getCommandTimeout();
		Duration lease = this.properties.getLease().getDuration();
		boolean wellFormed = this.problems.checkDuration("locket.redis.command-timeout", timeout, "2s");
		wellFormed &= this.problems.checkDuration("locket.lease.duration", lease, "35s");
		this.problems.checkDuration("locket.lease.heartbeat", this.properties.getLease().getHeartbeat(), "10s");
		Duration leader = this.properties.getLeader().getTtl();
		wellFormed &= this.problems.checkDuration("locket.leader.ttl", leader, "30s");
		this.problems.checkRange("locket.leader.misfire-after", this.properties.getLeader().getMisfireAfter(),
				Duration.ofSeconds(1), Duration.ofDays(1));
		this.problems.checkRange("locket.metrics.max-age", this.properties.getMetrics().getMaxAge(),
				Duration.ofSeconds(1), Duration.ofHours(1));
		if (wellFormed) {
			checkRoom(timeout, "locket.lease.duration", lease);
			checkRoom(timeout, "locket.leader.ttl", leader);
		}
	}

	private void checkRoom(Duration timeout, String property, Duration lease) {
		if (timeout.multipliedBy(3).compareTo(lease) <= 0) {
			return;
		}
		this.problems.add("locket.redis.command-timeout", timeout,
				"is longer than a third of " + property + ", which is " + PropertyProblems.text(lease)
						+ ". A lease could expire while its renewal waits for Redis.",
				"Write " + PropertyProblems.text(lease.dividedBy(3).truncatedTo(ChronoUnit.MILLIS)) + " or less, or "
						+ property + "=" + PropertyProblems.text(timeout.multipliedBy(3)) + " or more.");
	}

	/**
	 * Returns whether a name is a valid namespace.
	 * @param name the name
	 * @return whether a name is a valid namespace
	 */
	public static boolean isNamespace(String name) {
		return !name.isEmpty() && name.length() <= LONGEST_NAME
				&& name.chars().noneMatch(LocketPropertiesValidator::isForbiddenInNamespace);
	}

	private static boolean isForbiddenInNamespace(int c) {
		return isBlankOrControl(c) || c == '{' || c == '}';
	}

	private static boolean isBlankOrControl(int c) {
		return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c);
	}

}
