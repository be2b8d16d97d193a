package io.locket.job.administration;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import io.locket.JobState;
import io.locket.job.UniqueJobs;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.JobRecord;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Resolver of filters to the jobs that they select. Thread-safe.
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
	 * Restricts a filter to the states to which an operation applies. A filter without
	 * any of these states is rejected.
	 */
	static JobFilter only(JobFilter filter, Set<JobState> states) {
		Objects.requireNonNull(filter, "'filter' must not be null");
		JobFilter both = filter.only(states);
		if (both.states().isEmpty()) {
			throw new IllegalArgumentException(
					"This operation applies to jobs in " + states + ", and the filter selects only " + filter);
		}
		return both;
	}

	private JobFilter named(JobFilter filter) {
		Class<?> type = filter.type();
		if (type == null) {
			return filter;
		}
		Set<String> names = this.jobs.names(type);
		if (names.isEmpty()) {
			throw new IllegalArgumentException("No bean of this application has jobs of " + type.getName()
					+ ". Use the class of a bean with @UniqueJob methods, or name the job with JobFilter.job(String)");
		}
		return filter.named(names);
	}

	/**
	 * Returns the jobs of a filter.
	 * @throws IllegalArgumentException if the filter has arguments and its job is unknown
	 * or does not accept them, or if it has a class without jobs
	 */
	FilteredJobs read(JobFilter requested) {
		JobFilter filter = named(Objects.requireNonNull(requested, "'filter' must not be null"));
		Predicate<JobRecord> predicate = Objects.requireNonNullElse(filter.predicate(), (job) -> true);
		List<@Nullable Object> arguments = filter.arguments();
		if (arguments == null) {
			return new FilteredJobs(this.store, filter, predicate);
		}
		if (filter.job() == null) {
			throw new IllegalArgumentException(
					"A filter by arguments needs the parameters of the job: name it with JobFilter.job(...)");
		}
		UniqueJobDefinition job = this.jobs.job(filter.job());
		String json = this.codec.write(job.method(), job.beanType(),
				this.codec.convert(job.method(), job.beanType(), arguments.toArray()));
		Predicate<JobRecord> same = (record) -> this.codec.isSame(json, record.arguments());
		return new FilteredJobs(this.store, filter, same.and(predicate));
	}

}
