package io.locket.autoconfigure.properties;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.autoconfigure.properties.WorkerProperties.Group;
import io.locket.queue.QueueNames;
import io.locket.text.LineText;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.WorkerThreads;
import org.jspecify.annotations.Nullable;

/**
 * Validator of {@code locket.worker}.
 */
final class WorkerPropertiesValidator {

	private static final int MOST_JOBS = 1000;

	private static final int JAVA_WITH_VIRTUAL_THREADS = 21;

	private final WorkerProperties worker;

	private final PropertyProblems problems;

	private final int javaVersion;

	WorkerPropertiesValidator(WorkerProperties worker, PropertyProblems problems, int javaVersion) {
		this.worker = worker;
		this.problems = problems;
		this.javaVersion = javaVersion;
	}

	void validate() {
		this.problems.checkRange("locket.worker.shutdown-grace", this.worker.getShutdownGrace(), Duration.ZERO,
				Duration.ofHours(1));
		List<WorkerGroupSpec> groups = WorkerGroupSpec.of(this.worker);
		if (groups.isEmpty()) {
			checkGroup(new WorkerGroupSpec(WorkerGroupSpec.DEFAULT, WorkerGroupSpec.WORKER, List.of(),
					this.worker.getOrder(), this.worker.getConcurrency(), this.worker.getThreads(),
					this.worker.getBatch(), this.worker.getBatchHold(), this.worker.getPollInterval()));
		}
		Set<String> names = new HashSet<>();
		for (WorkerGroupSpec group : groups) {
			checkGroup(group);
			checkQueues(group);
			if (!names.add(group.name())) {
				this.problems.add(group.property(), "'" + group.name() + "'",
						"is the name of the group that serves locket.worker.queues.",
						"Write another name, or leave locket.worker.queues out.");
			}
		}
	}

	private void checkGroup(WorkerGroupSpec group) {
		if (!group.name().matches("[A-Za-z0-9._-]{1,50}")) {
			this.problems.add("locket.worker.groups", "'" + LineText.of(group.name()) + "'",
					"is not a valid group name.", "Write 1 to 50 letters, digits, '.', '_' and '-'.");
		}
		this.problems.checkRange(property(group, Group::getConcurrency, ".concurrency"), group.concurrency(), 1,
				MOST_JOBS);
		this.problems.checkRange(property(group, Group::getBatch, ".batch"), group.batch(), 1, MOST_JOBS);
		this.problems.checkRange(property(group, Group::getBatchHold, ".batch-hold"), group.batchHold(),
				Duration.ofMillis(1), Duration.ofMinutes(1));
		this.problems.checkRange(property(group, Group::getPollInterval, ".poll-interval"), group.pollInterval(),
				Duration.ofMillis(10), Duration.ofMinutes(1));
		if (group.threads() == WorkerThreads.VIRTUAL && this.javaVersion < JAVA_WITH_VIRTUAL_THREADS) {
			this.problems.add(property(group, Group::getThreads, ".threads"), "virtual",
					"needs Java 21, and this is Java " + this.javaVersion + ".",
					"Write platform, or use Java " + JAVA_WITH_VIRTUAL_THREADS + " or later.");
		}
	}

	/**
	 * Returns the property that a value of a group comes from: its own, or that of the
	 * worker which it inherits.
	 */
	private String property(WorkerGroupSpec group, Function<Group, @Nullable Object> own, String setting) {
		Group named = this.worker.getGroups().get(group.name());
		boolean inherited = named == null || own.apply(named) == null;
		return (inherited ? WorkerGroupSpec.WORKER : group.property()) + setting;
	}

	private void checkQueues(WorkerGroupSpec group) {
		String property = group.property() + ".queues";
		if (group.queues().isEmpty()) {
			this.problems.add(property, "''", "has no queue.", "Write the queues to serve, such as 'default'.");
		}
		Set<String> names = new HashSet<>();
		for (ServedQueue queue : group.queues()) {
			checkQueue(property, group.order(), queue);
			if (!names.add(queue.name())) {
				this.problems.add(property, "'" + queue.name() + "'", "is listed twice.", "Write each queue once.");
			}
		}
	}

	private void checkQueue(String property, QueueOrder order, ServedQueue queue) {
		if (!QueueNames.isValid(queue.name())) {
			this.problems.add(property, "'" + LineText.of(queue.name()) + "'", "is not a valid queue name.",
					"Write " + QueueNames.RULE + ".");
		}
		if (!queue.hasValidWeight()) {
			this.problems.add(property, "'" + queue.name() + "=" + queue.weightText() + "'", "has an invalid weight.",
					"Write a weight from 1 to " + ServedQueue.HEAVIEST + ", such as " + queue.name() + "=2.");
		}
		else if (queue.isWeighted() && order == QueueOrder.STRICT) {
			this.problems.add(property, "'" + queue.name() + "=" + queue.weightText() + "'",
					"has a weight, which the strict order does not support.",
					"Write order=weighted, or leave the weight out.");
		}
	}

}
