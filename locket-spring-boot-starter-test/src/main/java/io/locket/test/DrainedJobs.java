package io.locket.test;

import java.util.List;

import io.locket.queue.JobRecord;
import org.assertj.core.api.AssertProvider;

/**
 * The runs of a {@link LocketTester#drain}, in their order. Immutable.
 *
 * @param runs the runs
 * @param waiting the jobs of all queues that wait afterwards, in the order in which they
 * were accepted
 */
public record DrainedJobs(List<RanJob> runs, List<JobRecord> waiting) implements AssertProvider<DrainedJobsAssert> {

	public DrainedJobs {
		runs = List.copyOf(runs);
		waiting = List.copyOf(waiting);
	}

	/**
	 * Returns the names of the jobs that ran.
	 * @return a name for each run, in their order
	 */
	public List<String> jobs() {
		return this.runs.stream().map(RanJob::job).toList();
	}

	/**
	 * Returns the failed runs.
	 * @return the runs, in their order
	 */
	public List<RanJob> failures() {
		return this.runs.stream().filter((run) -> run.failure() != null).toList();
	}

	/**
	 * Fails if a body has failed.
	 */
	void requireNoFailure() {
		List<RanJob> failures = failures();
		if (failures.isEmpty()) {
			return;
		}
		AssertionError error = new AssertionError(failures.size() + " of " + this.runs.size() + " run(s) failed:\n"
				+ RanJob.lines(failures) + "\nUse drainAllowingFailures() if the test expects failures");
		failures.forEach((run) -> {
			if (error.getCause() == null) {
				error.initCause(run.failure());
			}
			else if (run.failure() != null) {
				error.addSuppressed(run.failure());
			}
		});
		throw error;
	}

	@Override
	public DrainedJobsAssert assertThat() {
		return new DrainedJobsAssert(this);
	}

}
