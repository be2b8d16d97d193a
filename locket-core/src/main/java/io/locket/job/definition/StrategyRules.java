package io.locket.job.definition;

import java.time.Duration;
import java.util.List;

import io.locket.LockStrategy;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Rules for the combination of strategies, durations and return types.
 */
final class StrategyRules {

	private final JobSettings settings;

	private final ConflictRules conflictRules = new ConflictRules();

	private final DuplicateRules duplicateRules;

	StrategyRules(JobSettings settings) {
		this.settings = settings;
		this.duplicateRules = new DuplicateRules(settings);
	}

	void check(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes, JobProblems problems) {
		this.conflictRules.check(job, strategies, attributes, problems);
		this.duplicateRules.check(job, strategies, attributes, problems);
		checkKey(job, strategies, attributes);
		checkPeriod(job, strategies, attributes, problems);
		checkLease(job, strategies, attributes, problems);
		checkResult(job, problems);
	}

	/**
	 * Checks that a key has an effect. A job that does not state its strategy can have a
	 * key in other queues, or with another configuration.
	 */
	private void checkKey(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes) {
		if (job.lock() != LockStrategy.NONE || !strategies.lockDeclared()) {
			return;
		}
		for (String attribute : List.of("key", "keyGenerator")) {
			attributes.refuse(attribute, "has no effect with " + strategies.chosenLock() + ", which has no key.",
					"Leave it out, or use WHILE_EXECUTING.");
		}
	}

	private void checkPeriod(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes,
			JobProblems problems) {
		if (job.lock() != LockStrategy.UNTIL_EXPIRED) {
			return;
		}
		if (job.uniqueFor() == null && !attributes.isSet("uniqueFor")) {
			problems.add(strategies.chosenLock() + " has no period.",
					"Write its length, such as uniqueFor = \"1h\", or locket.job.unique-for for all jobs.");
		}
		if (this.settings.threadBound()) {
			problems.add("A lock registry cannot keep the period of " + strategies.chosenLock() + ".",
					"Use locket.lease.store=redis, or another lock strategy.");
		}
	}

	/**
	 * Checks the lease durations. {@code leaseFor} always applies, because every queued
	 * run has a lease, whatever its strategy.
	 */
	private void checkLease(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes,
			JobProblems problems) {
		if (!job.lock().leasesDirectCalls()) {
			attributes.refuse("holdAtLeast",
					"has no effect with " + strategies.chosenLock() + ", which holds no lease of the key.",
					"Leave it out, or use WHILE_EXECUTING.");
		}
		else if (attributes.isSet("holdAtLeast") && this.settings.threadBound()
				&& !job.times().holdAtLeast().isZero()) {
			problems.add("A lock registry cannot hold a key longer than its body runs, as holdAtLeast requires.",
					"Leave it out, or use locket.lease.store=redis.");
		}
		Duration shortest = this.settings.commandTimeout().multipliedBy(3);
		if (attributes.isSet("leaseFor") && job.times().leaseFor().compareTo(shortest) < 0) {
			problems.add("leaseFor is " + text(job.times().leaseFor())
					+ ", which is shorter than three command timeouts: a lease could end while its renewal waits.",
					"Write " + text(shortest) + " or more, or lower locket.redis.command-timeout (now "
							+ text(this.settings.commandTimeout()) + ").");
		}
	}

	private void checkResult(UniqueJobDefinition job, JobProblems problems) {
		String type = job.method().getReturnType().getSimpleName();
		ReturnKind kind = ReturnKind.of(job.method());
		if (kind == ReturnKind.OUTLIVING && job.lock().leasesDirectCalls()) {
			problems.add("The work behind a returned " + type + " would outlive the lease.",
					"Return a CompletableFuture, a Mono, a Flux, or the finished value.");
		}
		else if (job.lock().guardsDirectCalls() && kind.endsLater() && this.settings.threadBound()) {
			problems.add("A lock of a lock registry belongs to its thread and cannot wait for a returned " + type + ".",
					"Return the finished value, or use locket.lease.store=redis.");
		}
	}

	private static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
	}

}
