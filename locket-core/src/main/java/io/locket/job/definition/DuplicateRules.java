package io.locket.job.definition;

import io.locket.DuplicateStrategy;

/**
 * Rules that a duplicate strategy imposes on the lock strategy.
 */
final class DuplicateRules {

	private final JobSettings settings;

	DuplicateRules(JobSettings settings) {
		this.settings = settings;
	}

	/**
	 * Checks the attributes. A job that does not state its strategy can have a period in
	 * other queues, if the configuration of one of them uses it.
	 */
	void check(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes, JobProblems problems) {
		boolean noticed = JobStrategies.refusesDuplicates(job.lock());
		if (!noticed && strategies.duplicateDeclared()) {
			problems.add(
					"onDuplicate = " + job.onDuplicate() + " has no effect with " + strategies.chosenLock()
							+ ", which accepts every job.",
					"Leave onDuplicate out, or use UNTIL_EXECUTING, UNTIL_EXECUTED, UNTIL_AND_WHILE_EXECUTING or"
							+ " UNTIL_EXPIRED.");
		}
		if (!noticed && (strategies.lockDeclared() || !this.settings.usePeriods())) {
			attributes.refuse("uniqueFor", "has no effect with " + strategies
				.chosenLock() + ".", "Leave it out, or use UNTIL_EXPIRED; or UNTIL_EXECUTING, UNTIL_EXECUTED or"
						+ " UNTIL_AND_WHILE_EXECUTING, where it limits how long a waiting job is unique. The strategy can"
						+ " also be that of locket.job.lock or locket.queues.<queue>.lock in this process.");
		}
		if (!noticed) {
			attributes.refuse("maxDelay",
					"has no effect with " + strategies.chosenLock() + ", because no waiting job is replaced.",
					"Leave it out, or use UNTIL_EXECUTING, UNTIL_EXECUTED, UNTIL_AND_WHILE_EXECUTING or UNTIL_EXPIRED"
							+ " with onDuplicate = REPLACE.");
		}
		else if (job.onDuplicate() != DuplicateStrategy.REPLACE) {
			attributes.refuse("maxDelay", "has no effect with onDuplicate = " + strategies.chosenDuplicate() + ".",
					"Write onDuplicate = REPLACE, or leave maxDelay out.");
		}
	}

}
