package io.locket.examples.migration.cloudtasker;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

/**
 * Jobs for each of Cloudtasker's pairs of a lock and a conflict strategy.
 */
@Component
public class Locks {

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING)
	public void untilExecutingReject(String arg) {
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, onDuplicate = DuplicateStrategy.RAISE)
	public void untilExecutingRaise(String arg) {
	}

	@UniqueJob(lock = LockStrategy.WHILE_EXECUTING, onConflict = ConflictStrategy.REJECT)
	public void whileExecutingReject(String arg) {
	}

	@UniqueJob(lock = LockStrategy.WHILE_EXECUTING, onConflict = ConflictStrategy.RESCHEDULE)
	public void whileExecutingReschedule(String arg) {
	}

	@UniqueJob(lock = LockStrategy.WHILE_EXECUTING, onConflict = ConflictStrategy.RAISE)
	public void whileExecutingRaise(String arg) {
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
	public void untilExecutedReject(String arg) {
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.RAISE)
	public void untilExecutedRaise(String arg) {
	}

}
