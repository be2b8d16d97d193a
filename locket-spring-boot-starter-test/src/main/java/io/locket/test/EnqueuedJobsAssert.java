package io.locket.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.EnqueueResult;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.description.Description;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Assertions about the submissions of one job. Each method selects some of them and fails
 * if none is left.
 */
public final class EnqueuedJobsAssert extends AbstractAssert<EnqueuedJobsAssert, List<EnqueuedJob>> {

	static final String ENQUEUED = "enqueued";

	static final String DEFERRED = "deferred";

	private final LocketTester tester;

	private final String verb;

	private final UniqueJobDefinition job;

	private final List<EnqueuedJob> meant;

	private final String text;

	/**
	 * Selects the submissions of a job.
	 * @param all the jobs of all names
	 * @param verb {@link #ENQUEUED} or {@link #DEFERRED}
	 */
	EnqueuedJobsAssert(LocketTester tester, List<EnqueuedJob> all, String verb, UniqueJobDefinition job,
			Description description) {
		this(tester, all, verb, job, all.stream().filter((enqueued) -> enqueued.job().equals(job.name())).toList(), "",
				description);
	}

	private EnqueuedJobsAssert(LocketTester tester, List<EnqueuedJob> all, String verb, UniqueJobDefinition job,
			List<EnqueuedJob> meant, String text, Description description) {
		super(all, EnqueuedJobsAssert.class);
		this.tester = tester;
		this.verb = verb;
		this.job = job;
		this.meant = meant;
		this.text = text;
		as(description);
		if (meant.isEmpty()) {
			throw failure("%nExpecting job '%s' to have been %s%s, but %s were%n%s", job.name(), verb, text, verb,
					verb.equals(ENQUEUED) ? lines(this.actual) : RanJob.lines(this.actual));
		}
	}

	/**
	 * Returns a description of the jobs, with a note that more of them may wait for a
	 * commit.
	 */
	static String lines(List<EnqueuedJob> jobs) {
		return RanJob.lines(jobs) + openTransaction();
	}

	/**
	 * Returns a note that jobs may wait for a commit, or an empty text.
	 */
	static String openTransaction() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				? "\n(a transaction is open, and jobs enqueued in it wait for its commit)" : "";
	}

	private EnqueuedJobsAssert narrow(String condition, Predicate<EnqueuedJob> predicate) {
		return new EnqueuedJobsAssert(this.tester, this.actual, this.verb, this.job,
				this.meant.stream().filter(predicate).toList(), this.text + " " + condition, this.info.description());
	}

	/**
	 * Selects jobs with the given arguments. The order of maps and sets is ignored.
	 * @param args the arguments, converted to the types of the job's parameters as in
	 * {@link io.locket.job.Jobs#enqueue(String, Object...)}
	 * @return assertions about them
	 * @throws IllegalArgumentException if the arguments do not fit the job
	 */
	public EnqueuedJobsAssert withArguments(@Nullable Object... args) {
		Predicate<EnqueuedJob> same = this.tester.withArguments(this.job, args);
		return narrow("with arguments " + Arrays.deepToString(args), same);
	}

	/**
	 * Selects jobs in a queue.
	 * @param queue the name of the queue
	 * @return assertions about them
	 */
	public EnqueuedJobsAssert inQueue(String queue) {
		return narrow("into queue '" + queue + "'", (enqueued) -> enqueued.queue().equals(queue));
	}

	/**
	 * Selects jobs with a delay.
	 * @param delay the delay, zero for at once
	 * @return assertions about them
	 */
	public EnqueuedJobsAssert after(Duration delay) {
		return narrow("after " + delay, (enqueued) -> enqueued.delay().equals(delay));
	}

	/**
	 * Selects jobs with a due time.
	 * @param time the time
	 * @return assertions about them
	 */
	public EnqueuedJobsAssert at(Instant time) {
		return narrow("at " + time, (enqueued) -> enqueued.dueAt().equals(time));
	}

	/**
	 * Selects accepted jobs.
	 * @return assertions about them
	 */
	public EnqueuedJobsAssert asAccepted() {
		return narrow("as accepted", EnqueuedJob::isAccepted);
	}

	/**
	 * Selects duplicates of another job.
	 * @return assertions about them
	 */
	public EnqueuedJobsAssert asDuplicate() {
		return narrow("as duplicate", (enqueued) -> enqueued.result() instanceof EnqueueResult.Duplicate);
	}

	/**
	 * Selects jobs that replaced the arguments of another job.
	 * @return assertions about them
	 */
	public EnqueuedJobsAssert asReplacement() {
		return narrow("as replacement", (enqueued) -> enqueued.result() instanceof EnqueueResult.Replaced);
	}

	/**
	 * Verifies the number of selected jobs.
	 * @param times the expected number, at least 1
	 * @return this
	 * @throws IllegalArgumentException if the number is less than 1, because the
	 * selection of no job fails before. Use {@link LocketTesterAssert#hasNotEnqueued}
	 */
	public EnqueuedJobsAssert times(int times) {
		Assert.isTrue(times > 0, () -> "'times' must be at least 1, because a selection of no job fails before: "
				+ times + ". Use hasNot" + StringUtils.capitalize(this.verb) + "(\"" + this.job.name() + "\")");
		if (this.meant.size() != times) {
			throw failureWithActualExpected(this.meant.size(), times,
					"%nExpecting job '%s' to have been %s%s %s time(s), but was %s time(s). The %s jobs were%n%s",
					this.job.name(), this.verb, this.text, times, this.meant.size(), this.verb,
					RanJob.lines(this.actual));
		}
		return this;
	}

}
