package io.locket.autoconfigure.properties;

import java.time.Duration;

import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.autoconfigure.diagnostics.WrittenKeys;
import io.locket.queue.QueueNames;
import io.locket.text.LineText;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * Validator of the properties of queues, retries and retention.
 */
final class QueuePropertiesValidator {

	private static final int MOST_RETRIES = 1000;

	private static final DataSize LARGEST_PAYLOAD = DataSize.ofMegabytes(64);

	private static final int MAX_ATTEMPTS = 100;

	private final LocketProperties properties;

	private final PropertyProblems problems;

	QueuePropertiesValidator(LocketProperties properties, PropertyProblems problems) {
		this.properties = properties;
		this.problems = problems;
	}

	void validate() {
		checkQueues();
		checkRetries();
		DeadProperties dead = this.properties.getDead();
		this.problems.checkDuration("locket.dead.max-age", dead.getMaxAge(), "30d");
		this.problems.checkNotNegative("locket.dead.max-size", dead.getMaxSize());
		HistoryProperties history = this.properties.getHistory();
		this.problems.checkDuration("locket.history.max-age", history.getMaxAge(), "1h");
		this.problems.checkNotNegative("locket.history.max-size", history.getMaxSize());
		this.problems.checkRange("locket.history.attempts", history.getAttempts(), 0, MAX_ATTEMPTS);
	}

	private void checkQueues() {
		checkName("locket.queue.default-name", this.properties.getQueue().getDefaultName());
		DataSize payload = this.properties.getQueue().getMaxPayload();
		if (payload.toBytes() < 1 || payload.compareTo(LARGEST_PAYLOAD) > 0) {
			this.problems.add("locket.queue.max-payload", payload, "is not between 1B and 64MB.",
					"Write a size such as 256KB.");
		}
		this.properties.getQueues().forEach((name, queue) -> {
			checkName("locket.queues", name);
			String property = WrittenKeys.property("locket.queues", name);
			this.problems.checkNotNegative(property + ".max-running", queue.getMaxRunning());
			checkPeriod(property + ".unique-for", queue.getUniqueFor());
		});
		checkPeriod("locket.job.unique-for", this.properties.getJob().getUniqueFor());
	}

	private void checkPeriod(String property, @Nullable Duration period) {
		if (period != null) {
			this.problems.checkDuration(property, period, "1h");
		}
	}

	private void checkName(String property, String name) {
		if (!QueueNames.isValid(name)) {
			this.problems.add(property, "'" + LineText.of(name) + "'", "is not a valid queue name.",
					"Write " + QueueNames.RULE + ".");
		}
	}

	private void checkRetries() {
		RetryProperties retry = this.properties.getRetry();
		this.problems.checkRange("locket.retry.max", retry.getMax(), 0, MOST_RETRIES);
		this.problems.checkRange("locket.retry.max-reclaims", retry.getMaxReclaims(), 0, MOST_RETRIES);
		RetryProperties.Backoff backoff = retry.getBackoff();
		boolean wellFormed = this.problems.checkDuration("locket.retry.backoff.initial", backoff.getInitial(), "15s");
		wellFormed &= this.problems.checkDuration("locket.retry.backoff.max", backoff.getMax(), "1h");
		Duration initial = backoff.getInitial();
		if (wellFormed && backoff.getMax().compareTo(initial) < 0) {
			this.problems.add("locket.retry.backoff.max", backoff.getMax(),
					"is shorter than locket.retry.backoff.initial, which is " + PropertyProblems.text(initial) + ".",
					"Write " + PropertyProblems.text(initial) + " or more.");
		}
		if (!(backoff.getMultiplier() >= 1 && backoff.getMultiplier() <= 100)) {
			this.problems.add("locket.retry.backoff.multiplier", backoff.getMultiplier(), "is not between 1 and 100.",
					"Write a number such as 2.");
		}
		if (!(backoff.getJitter() >= 0 && backoff.getJitter() <= 1)) {
			this.problems.add("locket.retry.backoff.jitter", backoff.getJitter(), "is not between 0 and 1.",
					"Write a number such as 0.1.");
		}
	}

}
