package io.locket.test;

import java.util.List;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions about {@link DrainedJobs}.
 */
public final class DrainedJobsAssert extends AbstractAssert<DrainedJobsAssert, DrainedJobs> {

	DrainedJobsAssert(DrainedJobs actual) {
		super(actual, DrainedJobsAssert.class);
	}

	/**
	 * Verifies the jobs that ran.
	 * @param jobs their names, one for each run, in the order of the runs
	 * @return this
	 */
	public DrainedJobsAssert hasRun(String... jobs) {
		if (!this.actual.jobs().equals(List.of(jobs))) {
			throw failure("%nExpecting runs of%n  %s%nbut there were%n%s%nStill waiting are%n%s", List.of(jobs),
					RanJob.lines(this.actual.runs()),
					LocketTesterAssert.lines(this.actual.waiting()) + EnqueuedJobsAssert.openTransaction());
		}
		return this;
	}

	/**
	 * Verifies that no job ran.
	 * @return this
	 */
	public DrainedJobsAssert hasRunNothing() {
		return hasRun();
	}

	/**
	 * Verifies that a run of a job has failed.
	 * @param job the name of the job
	 * @return assertions about the failure of the last such run
	 */
	public AbstractThrowableAssert<?, ? extends Throwable> hasFailed(String job) {
		List<RanJob> failures = this.actual.failures().stream().filter((run) -> run.job().equals(job)).toList();
		if (failures.isEmpty()) {
			throw failure("%nExpecting a run of '%s' to have failed, but there were%n%s", job,
					RanJob.lines(this.actual.runs()));
		}
		return Assertions.assertThat(failures.get(failures.size() - 1).failure()).as(this.info.description());
	}

}
