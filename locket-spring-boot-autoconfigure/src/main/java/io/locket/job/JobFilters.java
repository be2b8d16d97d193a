package io.locket.job;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import io.locket.JobState;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobRecord;
import io.locket.queue.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Makes of filters the jobs that they let through. Thread-safe.
 */
final class JobFilters {

	private final JobStore store;

	private final UniqueJobs jobs;

	private final ArgumentCodec codec;

	JobFilters(JobStore store, UniqueJobs jobs, ArgumentCodec codec) {
		this.store = store;
		this.jobs = jobs;
		this.codec = codec;
	}

	/**
	 * Jobs in other states are left alone; a filter that has only those is a mistake.
	 */
	static JobFilter only(JobFilter filter, Set<JobState> states) {
		JobFilter both = filter.only(states);
		if (both.states().isEmpty()) {
			throw new IllegalArgumentException("This is for jobs in " + states + ", and none of " + filter + " is");
		}
		return both;
	}

	/**
	 * Return the jobs of a filter.
	 * @throws IllegalArgumentException if the filter has arguments and its job is unknown
	 * or does not take them
	 */
	FilteredJobs read(JobFilter filter) {
		Predicate<JobRecord> predicate = Objects.requireNonNullElse(filter.predicate(), (job) -> true);
		List<@Nullable Object> arguments = filter.arguments();
		if (arguments == null) {
			return new FilteredJobs(this.store, filter, predicate);
		}
		if (filter.job() == null) {
			throw new IllegalArgumentException(
					"Arguments are compared by the parameters of a job: name it with JobFilter.job(...)");
		}
		UniqueJobDefinition job = this.jobs.job(filter.job());
		String json = this.codec.write(job.method(), this.codec.convert(job.method(), arguments.toArray()));
		Predicate<JobRecord> same = (record) -> this.codec.isSame(json, record.arguments());
		return new FilteredJobs(this.store, filter, same.and(predicate));
	}

}
