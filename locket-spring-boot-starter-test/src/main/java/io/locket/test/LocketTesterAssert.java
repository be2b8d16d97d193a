package io.locket.test;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

import io.locket.JobState;
import io.locket.job.JobInvocation;
import io.locket.job.UniqueJobDefinition;
import io.locket.job.recording.CallRecorder;
import io.locket.job.recording.RecordedCall;
import io.locket.queue.JobRecord;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about what was enqueued in a test, and what became of it. Names of jobs may
 * be their aliases.
 */
public final class LocketTesterAssert extends AbstractAssert<LocketTesterAssert, LocketTester> {

	LocketTesterAssert(LocketTester actual) {
		super(actual, LocketTesterAssert.class);
	}

	/**
	 * Check that a job was to be enqueued, whatever became of it.
	 * @param job the name of the job
	 * @return assertions that narrow down which enqueues are meant
	 * @throws IllegalArgumentException if there is no such job
	 */
	public EnqueuedJobsAssert hasEnqueued(String job) {
		return new EnqueuedJobsAssert(this.actual, this.actual.definition(job));
	}

	/**
	 * Check that a job was to be enqueued with the arguments of a call, whatever became
	 * of it: {@code hasEnqueued(Billing.class, (billing) -> billing.bill(42, may))}.
	 * @param type the type of the bean, or an interface
	 * @param call calls the job once
	 * @param <T> the type
	 * @return assertions that narrow down which enqueues are meant
	 * @throws IllegalArgumentException if the call cannot be recorded, or is none of a
	 * job
	 */
	public <T> EnqueuedJobsAssert hasEnqueued(Class<T> type, JobInvocation<? super T> call) {
		RecordedCall recorded = CallRecorder.record(type, call::call);
		return new EnqueuedJobsAssert(this.actual, this.actual.definition(recorded)).withArguments(recorded.args());
	}

	/**
	 * Check that a job was never to be enqueued.
	 * @param job the name of the job
	 * @return this
	 * @throws IllegalArgumentException if there is no such job
	 */
	public LocketTesterAssert hasNotEnqueued(String job) {
		String name = this.actual.definition(job).name();
		if (this.actual.enqueued().stream().anyMatch((enqueued) -> enqueued.job().equals(name))) {
			throw failure("%nExpecting no job '%s' to have been enqueued, but there were%n%s", name, allEnqueued());
		}
		return this;
	}

	/**
	 * Check that a job was never to be enqueued with the arguments of a call.
	 * @param type the type of the bean, or an interface
	 * @param call calls the job once
	 * @param <T> the type
	 * @return this
	 * @throws IllegalArgumentException if the call cannot be recorded, or is none of a
	 * job
	 */
	public <T> LocketTesterAssert hasNotEnqueued(Class<T> type, JobInvocation<? super T> call) {
		RecordedCall recorded = CallRecorder.record(type, call::call);
		UniqueJobDefinition job = this.actual.definition(recorded);
		Predicate<EnqueuedJob> same = this.actual.withArguments(job, recorded.args());
		if (this.actual.enqueued().stream().anyMatch((one) -> one.job().equals(job.name()) && same.test(one))) {
			throw failure("%nExpecting no %s with arguments %s to have been enqueued, but there were%n%s", recorded,
					Arrays.deepToString(recorded.args()), allEnqueued());
		}
		return this;
	}

	/**
	 * Check that no job was to be enqueued.
	 * @return this
	 */
	public LocketTesterAssert hasEnqueuedNothing() {
		return hasEnqueuedTimes(0);
	}

	/**
	 * Check how many jobs were to be enqueued.
	 * @param times how many, whatever became of them
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
	 * Check that a job is in a state, or has ended in it.
	 * @param state the state
	 * @param job the name of the job
	 * @return this
	 * @throws IllegalArgumentException if there is no such job
	 */
	public LocketTesterAssert has(JobState state, String job) {
		String name = this.actual.definition(job).name();
		if (in(state).stream().noneMatch((record) -> record.job().equals(name))) {
			throw failure("%nExpecting a job '%s' to be %s, but there were%n%s", name, state, allJobs());
		}
		return this;
	}

	/**
	 * Check how many jobs are in a state, or have ended in it.
	 * @param state the state
	 * @param count how many
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
	 * Check that a job is dead.
	 * @param job the name of the job
	 * @return this
	 * @throws IllegalArgumentException if there is no such job
	 */
	public LocketTesterAssert hasDead(String job) {
		return has(JobState.DEAD, job);
	}

	/**
	 * Check that no job is dead.
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
		return RanJob.lines(this.actual.jobs()
			.stream()
			.map((record) -> record.job() + record.arguments() + " of queue '" + record.queue() + "': " + record.state()
					+ ((record.lastError() != null) ? ", " + record.lastError() : ""))
			.toList());
	}

}
