package io.locket.job;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;

/**
 * What a conflict strategy needs: of the lock strategy, of other attributes, and of the
 * return type.
 */
final class ConflictRules {

	private static final String CONFIGURATION = "locket.queues.<name>.on-conflict or locket.job.on-conflict";

	void check(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes, JobProblems problems) {
		checkLock(job, strategies, problems);
		if (job.lock().leasesDirectCalls()) {
			checkWait(job, attributes, problems);
		}
		else if (job.onConflict() != ConflictStrategy.WAIT) {
			attributes.refuse("waitFor", "has no effect with " + job.lock() + ", which holds no lease.",
					"Leave it out, or use WHILE_EXECUTING.");
		}
		if (strategies.onConflict() != ConflictStrategy.RESCHEDULE) {
			attributes.refuse("rescheduleAfter",
					"has no effect with onConflict = " + described(strategies.onConflict()) + ".",
					"Write onConflict = RESCHEDULE, or leave rescheduleAfter out.");
		}
		if (job.lock().guardsDirectCalls()) {
			checkReturnType(job, problems);
		}
	}

	private void checkLock(UniqueJobDefinition job, JobStrategies strategies, JobProblems problems) {
		ConflictStrategy stated = strategies.onConflict();
		boolean declared = strategies.conflictDeclared();
		if (job.lock() == LockStrategy.UNTIL_AND_WHILE_EXECUTING && stated == ConflictStrategy.REJECT) {
			problems.add(
					"UNTIL_AND_WHILE_EXECUTING with onConflict = REJECT would lose the update that waits"
							+ (declared ? "." : ", as " + CONFIGURATION + " asks."),
					(declared ? "Leave onConflict out, or write PARK, RAISE or WAIT"
							: "Write onConflict = PARK, RAISE or WAIT") + "; or use UNTIL_EXECUTED.");
		}
		if (!job.lock().guardsDirectCalls() && declared && needsGuard(stated)) {
			problems.add("Direct calls of a job with " + job.lock() + " are not guarded, so that there is nothing to "
					+ stated + " for.", "Leave onConflict out, or use WHILE_EXECUTING.");
		}
		if (job.lock() == LockStrategy.UNTIL_EXPIRED && needsGuard(job.onConflict())) {
			problems.add("UNTIL_EXPIRED cannot " + job.onConflict() + ": nobody gives the period back.",
					"Write onConflict = REJECT or onConflict = RAISE.");
		}
	}

	private static boolean needsGuard(ConflictStrategy strategy) {
		return strategy == ConflictStrategy.WAIT || strategy.enqueuesDirectCalls();
	}

	private void checkWait(UniqueJobDefinition job, JobAttributes attributes, JobProblems problems) {
		if (job.onConflict() != ConflictStrategy.WAIT) {
			attributes.refuse("waitFor", "has no effect with onConflict = " + job.onConflict() + ".",
					"Write onConflict = WAIT, or leave waitFor out.");
		}
		else if (!attributes.isSet("waitFor")) {
			problems.add("WAIT without waitFor would not wait at all.",
					"Write for how long, such as waitFor = \"10s\".");
		}
	}

	private void checkReturnType(UniqueJobDefinition job, JobProblems problems) {
		ReturnKind kind = ReturnKind.of(job.method());
		boolean outlives = kind == ReturnKind.OUTLIVING && job.lock().leasesDirectCalls();
		if (kind.canBeSkipped() || outlives) {
			return;
		}
		String type = job.method().getReturnType().getSimpleName();
		if (job.onConflict() == ConflictStrategy.REJECT) {
			problems.add("A refused call would have to return a " + type + " that nobody computed.",
					"Write onConflict = RAISE or WAIT, or return void or an Optional.");
		}
		else if (job.onConflict().enqueuesDirectCalls()) {
			problems.add(
					"A call that " + job.onConflict() + " enqueues would have to return a " + type
							+ " that nobody computed.",
					"Write onConflict = RAISE or WAIT, or return void or an Optional.");
		}
	}

	private static String described(ConflictStrategy strategy) {
		return (strategy == ConflictStrategy.DEFAULT) ? "PARK and REJECT, the defaults" : strategy.name();
	}

}
