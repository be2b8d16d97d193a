package io.locket.job;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Which strategies, durations and return types go together.
 */
final class StrategyRules {

	private final JobSettings settings;

	StrategyRules(JobSettings settings) {
		this.settings = settings;
	}

	void check(UniqueJobDefinition job, MergedAnnotation<UniqueJob> annotation, JobAttributes attributes,
			JobProblems problems) {
		ConflictStrategy declared = annotation.getEnum("onConflict", ConflictStrategy.class);
		checkPair(job, declared, problems);
		checkWait(job, attributes, problems);
		checkPeriod(job, attributes, problems);
		checkLease(job, attributes, problems);
		if (job.lock().guardsDirectCalls()) {
			checkReturnType(job, problems);
		}
	}

	private void checkPair(UniqueJobDefinition job, ConflictStrategy declared, JobProblems problems) {
		if (job.lock() == LockStrategy.UNTIL_AND_WHILE_EXECUTING && declared == ConflictStrategy.REJECT) {
			problems.add("UNTIL_AND_WHILE_EXECUTING with onConflict = REJECT would lose the update that waits.",
					"Leave onConflict out, or write RAISE or WAIT; or use UNTIL_EXECUTED.");
		}
		if (!job.lock().guardsDirectCalls() && declared == ConflictStrategy.WAIT) {
			problems.add(
					"Direct calls of a job with " + job.lock()
							+ " are not guarded, so that there is nothing to WAIT for.",
					"Leave onConflict out, or use WHILE_EXECUTING.");
		}
		if (job.lock() == LockStrategy.UNTIL_EXPIRED && job.onConflict() == ConflictStrategy.WAIT) {
			problems.add("UNTIL_EXPIRED cannot WAIT: nobody gives the period back.",
					"Write onConflict = REJECT or onConflict = RAISE.");
		}
	}

	private void checkWait(UniqueJobDefinition job, JobAttributes attributes, JobProblems problems) {
		if (!job.lock().leasesDirectCalls()) {
			if (job.onConflict() != ConflictStrategy.WAIT) {
				refuse("waitFor", job, attributes, problems);
			}
			return;
		}
		if (job.onConflict() == ConflictStrategy.WAIT && !attributes.isSet("waitFor")) {
			problems.add("WAIT without waitFor would not wait at all.",
					"Write for how long, such as waitFor = \"10s\".");
		}
		if (job.onConflict() != ConflictStrategy.WAIT && attributes.isSet("waitFor")) {
			problems.add("waitFor has no effect with onConflict = " + job.onConflict() + ".",
					"Write onConflict = WAIT, or leave waitFor out.");
		}
	}

	private void checkPeriod(UniqueJobDefinition job, JobAttributes attributes, JobProblems problems) {
		if (job.lock() != LockStrategy.UNTIL_EXPIRED) {
			return;
		}
		if (!attributes.isSet("uniqueFor")) {
			problems.add("UNTIL_EXPIRED has no period.", "Write its length, such as uniqueFor = \"1h\".");
		}
		if (this.settings.threadBound()) {
			problems.add("A lock registry cannot keep the period of UNTIL_EXPIRED.",
					"Use locket.lease.store=redis, or another lock strategy.");
		}
	}

	private void checkLease(UniqueJobDefinition job, JobAttributes attributes, JobProblems problems) {
		if (!job.lock().leasesDirectCalls()) {
			refuse("leaseFor", job, attributes, problems);
			refuse("holdAtLeast", job, attributes, problems);
			return;
		}
		if (attributes.isSet("holdAtLeast") && this.settings.threadBound() && !job.holdAtLeast().isZero()) {
			problems.add("A lock registry cannot hold a key longer than its body runs, as holdAtLeast asks.",
					"Leave it out, or use locket.lease.store=redis.");
		}
		Duration shortest = this.settings.commandTimeout().multipliedBy(3);
		if (attributes.isSet("leaseFor") && job.leaseFor().compareTo(shortest) < 0) {
			problems.add("leaseFor is " + text(job.leaseFor())
					+ ", which is shorter than three command timeouts: a lease could end while its renewal waits.",
					"Write " + text(shortest) + " or more, or lower locket.redis.command-timeout (now "
							+ text(this.settings.commandTimeout()) + ").");
		}
	}

	private void refuse(String attribute, UniqueJobDefinition job, JobAttributes attributes, JobProblems problems) {
		if (attributes.isSet(attribute)) {
			problems.add(attribute + " has no effect with " + job.lock() + ", which holds no lease.",
					"Leave it out, or use WHILE_EXECUTING.");
		}
	}

	private void checkReturnType(UniqueJobDefinition job, JobProblems problems) {
		String type = job.method().getReturnType().getSimpleName();
		ReturnKind kind = ReturnKind.of(job.method());
		if (kind == ReturnKind.OUTLIVING && job.lock().leasesDirectCalls()) {
			problems.add("The work behind a returned " + type + " would outlive the lease.",
					"Return a CompletableFuture, a Mono, a Flux, or the finished value.");
		}
		else if (!kind.canBeSkipped() && job.onConflict() == ConflictStrategy.REJECT) {
			problems.add("A refused call would have to return a " + type + " that nobody computed.",
					"Write onConflict = RAISE or WAIT, or return void or an Optional.");
		}
		else if (kind.endsLater() && this.settings.threadBound()) {
			problems.add("A lock of a lock registry belongs to its thread and cannot wait for a returned " + type + ".",
					"Return the finished value, or use locket.lease.store=redis.");
		}
	}

	private static String text(Duration duration) {
		return (duration.toMillisPart() != 0) ? duration.toMillis() + "ms" : duration.toSeconds() + "s";
	}

}
