package io.locket.job.definition;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;

/**
 * Rules that a conflict strategy imposes on the lock strategy, other attributes and the
 * return type.
 */
final class ConflictRules {

	void check(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes, JobProblems problems) {
		checkLock(job, strategies, problems);
		if (job.lock().leasesDirectCalls()) {
			checkWait(job, strategies, attributes, problems);
		}
		else if (job.onConflict() != ConflictStrategy.WAIT) {
			attributes.refuse("waitFor", "has no effect with " + strategies.chosenLock() + ", which holds no lease.",
					"Leave it out, or use WHILE_EXECUTING.");
		}
		if (strategies.onConflict() != ConflictStrategy.RESCHEDULE) {
			attributes.refuse("rescheduleAfter", "has no effect with onConflict = " + described(strategies) + ".",
					"Write onConflict = RESCHEDULE, or leave rescheduleAfter out.");
		}
		if (job.lock().guardsDirectCalls()) {
			checkReturnType(job, strategies, problems);
		}
	}

	private void checkLock(UniqueJobDefinition job, JobStrategies strategies, JobProblems problems) {
		ConflictStrategy stated = strategies.onConflict();
		boolean declared = strategies.conflictDeclared();
		if (job.lock() == LockStrategy.UNTIL_AND_WHILE_EXECUTING && stated == ConflictStrategy.REJECT) {
			problems.add(
					strategies.chosenLock() + " with onConflict = " + strategies.chosenConflict()
							+ " would lose the update that waits.",
					(declared ? "Leave onConflict out, or write PARK, RAISE, or WAIT with waitFor"
							: "Write onConflict = PARK, RAISE, or WAIT with waitFor") + "; or use UNTIL_EXECUTED.");
		}
		if (!job.lock().guardsDirectCalls() && declared && needsGuard(stated)) {
			problems.add(
					"Direct calls of a job with " + strategies.chosenLock()
							+ " are not guarded, so there is nothing to " + stated + " for.",
					"Leave onConflict out, or use WHILE_EXECUTING.");
		}
		else if (!job.lock().guardsDirectCalls() && declared) {
			problems.add(
					"onConflict = " + stated + " has no effect with " + strategies.chosenLock()
							+ ", which runs beside others of its key.",
					(job.lock() == LockStrategy.UNTIL_EXECUTING)
							? "Write onDuplicate = " + stated + ", for jobs that wait, or use WHILE_EXECUTING."
							: "Leave onConflict out, or use WHILE_EXECUTING.");
		}
		if (job.lock() == LockStrategy.UNTIL_EXPIRED && needsGuard(job.onConflict())) {
			problems.add(
					strategies.chosenLock() + " cannot " + strategies.directText() + ": the period is never released.",
					"Write onConflict = REJECT or onConflict = RAISE.");
		}
	}

	private static boolean needsGuard(ConflictStrategy strategy) {
		return strategy == ConflictStrategy.WAIT || strategy.enqueuesDirectCalls();
	}

	private void checkWait(UniqueJobDefinition job, JobStrategies strategies, JobAttributes attributes,
			JobProblems problems) {
		if (job.onConflict() != ConflictStrategy.WAIT) {
			attributes.refuse("waitFor", "has no effect with onConflict = " + strategies.directText() + ".",
					"Write onConflict = WAIT, or leave waitFor out.");
		}
		else if (!attributes.isSet("waitFor")) {
			problems.add(strategies.directText() + " without waitFor would not wait.",
					"Set a bound, such as waitFor = \"10s\""
							+ (strategies.conflictDeclared() ? "." : ", or another onConflict."));
		}
	}

	private void checkReturnType(UniqueJobDefinition job, JobStrategies strategies, JobProblems problems) {
		ReturnKind kind = ReturnKind.of(job.method());
		boolean outlives = kind == ReturnKind.OUTLIVING && job.lock().leasesDirectCalls();
		if (kind.canBeSkipped() || outlives) {
			return;
		}
		String type = job.method().getReturnType().getSimpleName();
		if (job.onConflict() == ConflictStrategy.REJECT) {
			problems.add(
					"A refused call, with " + strategies.directText() + ", would have to return a value of type " + type
							+ " that was not computed.",
					"Write onConflict = RAISE, or WAIT with waitFor, or return void or an Optional.");
		}
		else if (job.onConflict().enqueuesDirectCalls()) {
			problems.add(
					"A call that " + strategies.directText() + " enqueues would have to return a value of type " + type
							+ " that was not computed.",
					"Write onConflict = RAISE, or WAIT with waitFor, or return void or an Optional.");
		}
	}

	private static String described(JobStrategies strategies) {
		return (strategies.onConflict() == ConflictStrategy.DEFAULT) ? "PARK and REJECT, the defaults"
				: strategies.chosenConflict().toString();
	}

}
