package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

import io.locket.autoconfigure.InvalidLocketConfigurationException.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Finds the values of properties that cannot work.
 */
final class LocketPropertiesValidator {

	private static final int LONGEST_NAME = 100;

	private static final Duration LONGEST_DURATION = Duration.ofDays(36500);

	private final LocketProperties properties;

	private final List<Problem> problems = new ArrayList<>();

	LocketPropertiesValidator(LocketProperties properties) {
		this.properties = properties;
	}

	void validate() {
		checkNames();
		checkDurations();
		int replicas = this.properties.getRedis().getWaitReplicas();
		if (replicas < 0) {
			add("locket.redis.wait-replicas", replicas, "is negative.", "Write 0 or more.");
		}
		if (!this.problems.isEmpty()) {
			throw new InvalidLocketConfigurationException(this.problems);
		}
	}

	private void checkNames() {
		checkName("locket.namespace", this.properties.getNamespace(), LocketPropertiesValidator::isForbiddenInNamespace,
				"must have neither braces, white space nor control characters",
				"Write a name such as the application's: letters, digits, '-', '.', ':'.");
		checkName("locket.lease.registry-key", this.properties.getLease().getRegistryKey(),
				LocketPropertiesValidator::isBlankOrControl, "must have neither white space nor control characters",
				"Write the registry key that the other services use, such as 'locks'.");
	}

	private void checkName(String property, @Nullable String name, IntPredicate forbidden, String rule, String action) {
		if (name == null) {
			return;
		}
		if (name.isEmpty() || name.length() > LONGEST_NAME || name.chars().anyMatch(forbidden)) {
			add(property, "'" + name.replaceAll("\\p{Cntrl}", "?") + "'",
					rule + " and has 1 to " + LONGEST_NAME + " characters.", action);
		}
	}

	private void checkDurations() {
		Duration timeout = this.properties.getRedis().getCommandTimeout();
		Duration lease = this.properties.getLease().getDuration();
		boolean wellFormed = checkDuration("locket.redis.command-timeout", timeout, "2s");
		wellFormed &= checkDuration("locket.lease.duration", lease, "35s");
		checkDuration("locket.lease.heartbeat", this.properties.getLease().getHeartbeat(), "10s");
		if (wellFormed && timeout.multipliedBy(3).compareTo(lease) > 0) {
			add("locket.redis.command-timeout", text(timeout),
					"is longer than a third of locket.lease.duration, which is " + text(lease)
							+ ": a lease could end while its renewal waits.",
					"Write " + text(lease.dividedBy(3)) + " or less, or locket.lease.duration="
							+ text(timeout.multipliedBy(3)) + " or more.");
		}
	}

	private boolean checkDuration(String property, Duration duration, String example) {
		if (duration.toSeconds() <= 0 && duration.compareTo(Duration.ofMillis(1)) < 0) {
			add(property, text(duration), "is not a positive time.",
					"Write a duration of 1ms or more, such as " + example + ".");
			return false;
		}
		if (duration.compareTo(LONGEST_DURATION) > 0) {
			add(property, text(duration), "is longer than 36500 days.",
					"Write a shorter one, such as " + example + ".");
			return false;
		}
		return true;
	}

	private void add(String property, Object value, String description, String action) {
		this.problems.add(new Problem(property, value.toString(), description, action));
	}

	/**
	 * Return whether a name can be a namespace.
	 */
	static boolean isNamespace(String name) {
		return !name.isEmpty() && name.length() <= LONGEST_NAME
				&& name.chars().noneMatch(LocketPropertiesValidator::isForbiddenInNamespace);
	}

	private static boolean isForbiddenInNamespace(int c) {
		return isBlankOrControl(c) || c == '{' || c == '}';
	}

	private static boolean isBlankOrControl(int c) {
		return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c);
	}

	private static String text(Duration duration) {
		if (duration.compareTo(LONGEST_DURATION) > 0) {
			return duration.toString();
		}
		return (duration.toMillisPart() != 0 || duration.isZero()) ? duration.toMillis() + "ms"
				: duration.toSeconds() + "s";
	}

}
