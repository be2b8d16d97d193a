package io.locket.test;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

import io.locket.JobState;
import io.locket.job.JobInvocation;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.job.recording.CallRecorder;
import io.locket.job.recording.RecordedCall;
import io.locket.queue.JobRecord;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about the submitted jobs of a test and their states. A job is submitted when
 * it reaches the queue: {@link LocketTester#enqueued()}. A job that was enqueued in an
 * open transaction reaches it after the commit. Until then {@link #hasDeferred} and
 * {@link #hasDeferredNothing} see it, and {@link #hasNotEnqueued} does not. Names of jobs
 * may be aliases.
 */
public final class LocketTesterAssert extends AbstractAssert<LocketTesterAssert, LocketTester> {

	private static final String CALL_INSTEAD = ". Pass its type and a call";

	LocketTesterAssert(LocketTester actual) {
		super(actual, LocketTesterAssert.class);
	}

	/**
	 * Verifies that a job was submitted, with any result.
	 * @param job the name of the job
	 * @return assertions that select some of its submissions
	 * @throws IllegalArgumentException if there is no such job
	 */
	public EnqueuedJobsAssert hasEnqueued(String job) {
		return enqueued(this.actual.definition(job, CALL_INSTEAD));
	}

	/**
	 * Verifies that a job was submitted with the arguments of a call, with any result:
	 * {@code hasEnqueued(Billing.class, (billing) -> billing.bill(42, may))}.
	 * @param type the type of the bean, or an interface
	 * @param call calls the job once
	 * @param <T> the type
	 * @return assertions that select some of its submissions
	 * @throws IllegalArgumentException if the call cannot be recorded, or is not a call
	 * of a job
	 */
	public <T> EnqueuedJobsAssert hasEnqueued(Class<T> type, JobInvocation<? super T> call) {
		RecordedCall recorded = CallRecorder.record(type, call::call);
		return enqueued(this.actual.definition(recorded)).withArguments(recorded.args());
	}

	private EnqueuedJobsAssert enqueued(UniqueJobDefinition job) {
		return new EnqueuedJobsAssert(this.actual, this.actual.enqueued(), EnqueuedJobsAssert.ENQUEUED, job,
				this.info.description());
	}

	/**
	 * Verifies that a job waits for the commit of the current transaction of this thread.
	 * @param job the name of the job
	 * @return assertions that select some of the waiting jobs
	 * @throws IllegalArgumentException if there is no such job
	 */
	public EnqueuedJobsAssert hasDeferred(String job) {
		return deferred(this.actual.definition(job, CALL_INSTEAD));
	}

	/**
	 * Verifies that a job with the arguments of a call waits for the commit of the
	 * current transaction of this thread.
	 * @param type the type of the bean, or an interface
	 * @param call calls the job once
	 * @param <T> the type
	 * @return assertions that select some of the waiting jobs
	 * @throws IllegalArgumentException if the call cannot be recorded, or is not a call
	 * of a job
	 */
	public <T> EnqueuedJobsAssert hasDeferred(Class<T> type, JobInvocation<? super T> call) {
		RecordedCall recorded = CallRecorder.record(type, call::call);
		return deferred(this.actual.definition(recorded)).withArguments(recorded.args());
	}

	private EnqueuedJobsAssert deferred(UniqueJobDefinition job) {
		return new EnqueuedJobsAssert(this.actual, this.actual.deferred(), EnqueuedJobsAssert.DEFERRED, job,
				this.info.description());
	}

	/**
	 * Verifies that a job does not wait for the commit of the current transaction of this
	 * thread.
	 * @param job the name of the job
	 * @return this
	 * @throws IllegalArgumentException if there is no such job
	 */
	public LocketTesterAssert hasNotDeferred(String job) {
		String name = this.actual.definition(job, CALL_INSTEAD).name();
		List<EnqueuedJob> deferred = this.actual.deferred();
		if (deferred.stream().anyMatch((one) -> one.job().equals(name))) {
			throw failure("%nExpecting no job '%s' to have been deferred, but there were%n%s", name,
					RanJob.lines(deferred));
		}
		return this;
	}

	/**
	 * Verifies that no job waits for the commit of the current transaction of this
	 * thread.
	 * @return this
	 */
	public LocketTesterAssert hasDeferredNothing() {
		List<EnqueuedJob> deferred = this.actual.deferred();
		if (!deferred.isEmpty()) {
			throw failure("%nExpecting no job to wait for the commit of the transaction, but these do%n%s",
					RanJob.lines(deferred));
		}
		return this;
	}

	/**
	 * Verifies that a job was never submitted.
	 * @param job the name of the job
	 * @return this
	 * @throws IllegalArgumentException if there is no such job
	 */
	public LocketTesterAssert hasNotEnqueued(String job) {
		String name = this.actual.definition(job, CALL_INSTEAD).name();
		if (this.actual.enqueued().stream().anyMatch((enqueued) -> enqueued.job().equals(name))) {
			throw failure("%nExpecting no job '%s' to have been enqueued, but there were%n%s", name, allEnqueued());
		}
		return this;
	}

	/**
	 * Verifies that a job was never submitted with the given arguments. The order of maps
	 * and sets is ignored.
	 * @param job the name of the job
	 * @param args the arguments, converted to the types of the job's parameters as in
	 * {@link io.locket.job.Jobs#enqueue(String, Object...)}
	 * @return this
	 * @throws IllegalArgumentException if there is no such job, or if the arguments do
	 * not fit it
	 */
	public LocketTesterAssert hasNotEnqueued(String job, @Nullable Object... args) {
		UniqueJobDefinition definition = this.actual.definition(job, CALL_INSTEAD);
		return hasNotEnqueued(definition, "job '" + definition.name() + "'", args);
	}

	/**
	 * Verifies that a job was never submitted with the arguments of a call.
	 * @param type the type of the bean, or an interface
	 * @param call calls the job once
	 * @param <T> the type
	 * @return this
	 * @throws IllegalArgumentException if the call cannot be recorded, or is not a call
	 * of a job
	 */
	public <T> LocketTesterAssert hasNotEnqueued(Class<T> type, JobInvocation<? super T> call) {
		RecordedCall recorded = CallRecorder.record(type, call::call);
		return hasNotEnqueued(this.actual.definition(recorded), recorded.toString(), recorded.args());
	}

	private LocketTesterAssert hasNotEnqueued(UniqueJobDefinition job, String text, @Nullable Object[] args) {
		Predicate<EnqueuedJob> same = this.actual.withArguments(job, args);
		if (this.actual.enqueued().stream().anyMatch((one) -> one.job().equals(job.name()) && same.test(one))) {
			throw failure("%nExpecting no %s with arguments %s to have been enqueued, but there were%n%s", text,
					Arrays.deepToString(args), allEnqueued());
		}
		return this;
	}

	/**
	 * Verifies that no job was submitted. Jobs that wait for the commit of an open
	 * transaction do not count: {@link #hasDeferredNothing}.
	 * @return this
	 */
	public LocketTesterAssert hasEnqueuedNothing() {
		return hasEnqueuedTimes(0);
	}

	/**
	 * Verifies the number of submitted jobs.
	 * @param times the expected number, with any result
	 * @return this
	 */
	public LocketTesterAssert hasEnqueuedTimes(int times) {
		int count = this.actual.enqueued().size();
		if (count != times) {
			throw failureWithActualExpected(count, times, "%nExpecting %s enqueued job(s), but there were %s%n%s",
					times, count, allEnqueued());
		}
		return this;
	}

	/**
	 * Verifies that a job is in a state or has ended in it.
	 * @param state the state
	 * @param job the name of the job
	 * @return this
	 * @throws IllegalArgumentException if there is no such job
	 */
	public LocketTesterAssert has(JobState state, String job) {
		String name = this.actual.definition(job, "").name();
		if (in(state).stream().noneMatch((record) -> record.job().equals(name))) {
			throw failure("%nExpecting a job '%s' to be %s, but there were%n%s", name, state, allJobs());
		}
		return this;
	}

	/**
	 * Verifies the number of jobs that are in a state or have ended in it.
	 * @param state the state
	 * @param count the expected number
	 * @return this
	 */
	public LocketTesterAssert has(JobState state, int count) {
		int actual = in(state).size();
		if (actual != count) {
			throw failureWithActualExpected(actual, count, "%nExpecting %s job(s) to be %s, but there were%n%s", count,
					state, allJobs());
		}
		return this;
	}

	/**
	 * Verifies that a job is a dead letter.
	 * @param job the name of the job
	 * @return this
	 * @throws IllegalArgumentException if there is no such job
	 */
	public LocketTesterAssert hasDead(String job) {
		return has(JobState.DEAD, job);
	}

	/**
	 * Verifies that there are no dead letters.
	 * @return this
	 */
	public LocketTesterAssert hasNoDead() {
		return has(JobState.DEAD, 0);
	}

	private List<JobRecord> in(JobState state) {
		return this.actual.jobs().stream().filter((record) -> record.state() == state).toList();
	}

	private String allEnqueued() {
		return EnqueuedJobsAssert.lines(this.actual.enqueued());
	}

	private String allJobs() {
		return lines(this.actual.jobs());
	}

	static String lines(List<JobRecord> jobs) {
		return RanJob.lines(jobs.stream().map(LocketTesterAssert::line).toList());
	}

	private static String line(JobRecord job) {
		boolean timed = job.state() == JobState.SCHEDULED || job.state() == JobState.RETRY;
		return job.job() + job.arguments() + " of queue '" + job.queue() + "': " + job.state()
				+ (timed ? " until " + job.startAt() : "") + ((job.lastError() != null) ? ", " + job.lastError() : "");
	}

}
