package io.locket.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.BatchDescriptor;
import io.locket.actuate.descriptor.JobDescriptor;
import io.locket.actuate.descriptor.PageCursor;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobSelection;
import io.locket.job.administration.JobTally;
import io.locket.job.administration.UpdateStep;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.UpdateResult;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.util.StringUtils;

/**
 * The section of the jobs of all queues: pages of jobs, or one job by its id.
 */
final class JobsSection implements EndpointSection {

	static final String PATH = "jobs";

	/**
	 * Name of the entry that is the number of jobs. A job with this id is found in a page
	 * only.
	 */
	private static final String COUNT = "count";

	private static final Set<String> COUNT_PARAMETERS = Set.of("queue", "job", "key", "state", "cursor", "text",
			"dueFrom", "dueUntil");

	private final JobAdministration administration;

	JobsSection(JobAdministration administration) {
		this.administration = administration;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public Set<String> listParameters() {
		return ListQuery.OF_ALL_JOBS;
	}

	@Override
	public Set<String> entryParameters(String name) {
		return COUNT.equals(name) ? COUNT_PARAMETERS : Set.of();
	}

	@Override
	public Set<String> batchParameters() {
		return ListQuery.OF_ALL_JOBS;
	}

	@Override
	public JobsDescriptor list(ListQuery query, ArgumentMask mask) {
		JobPage page = this.administration.list(query.filter(mask), query.size(), query.place());
		return new JobsDescriptor(page.jobs().stream().map((job) -> JobDescriptor.of(job, mask)).toList(),
				PageCursor.write(page.cursor()));
	}

	@Override
	public OperationResponseBody entry(String name, ListQuery query, ArgumentMask mask) {
		if (COUNT.equals(name)) {
			JobTally tally = this.administration.select(query.filter(mask)).count(query.place());
			return new CountDescriptor(tally.jobs(), PageCursor.write(tally.cursor()));
		}
		return this.administration.find(name)
			.map((job) -> JobDescriptor.of(job, attempts(this.administration, job), mask))
			.orElseThrow(() -> unknown(name));
	}

	/**
	 * Returns the failed attempts of a job. They are not read if none has failed.
	 */
	static List<FailedAttempt> attempts(JobAdministration administration, JobRecord job) {
		return (job.attempt() > 0) ? administration.history().attempts(job.id()) : List.of();
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String argument) {
		return switch (write) {
			case JOB_CANCELLED -> cancel(name);
			case JOB_REQUEUED -> requeue(name);
			case JOB_RUN_NOW -> updated(name, this.administration.runNow(name));
			case JOB_DISMISSED -> updated(name, this.administration.dismiss(name));
			case JOB_MOVED -> updated(name, this.administration.move(name, target(argument)));
			case JOB_RESCHEDULED -> updated(name, this.administration.reschedule(name, time(argument)));
			default -> throw new IllegalStateException(write + " is not an operation on jobs");
		};
	}

	@Override
	public BatchDescriptor writeBatch(EndpointWrite write, ListQuery query, @Nullable String argument,
			ArgumentMask mask) {
		if (!StringUtils.hasText(query.state())) {
			throw new IllegalArgumentException("Name the states of the jobs: state=dead, for instance");
		}
		JobSelection jobs = this.administration.select(query.filter(mask));
		int limit = query.step();
		String place = query.place();
		UpdateStep step = switch (write) {
			case JOB_CANCELLED -> jobs.cancel(limit, place);
			case JOB_REQUEUED -> jobs.requeue(limit, place);
			case JOB_RUN_NOW -> jobs.runNow(limit, place);
			case JOB_DISMISSED -> jobs.dismiss(limit, place);
			case JOB_MOVED -> jobs.move(target(argument), limit, place);
			case JOB_RESCHEDULED -> jobs.reschedule(time(argument), limit, place);
			default -> throw new IllegalStateException(write + " is not a bulk operation on jobs");
		};
		return BatchDescriptor.of(step);
	}

	private ResultDescriptor cancel(String id) {
		CancelResult result = this.administration.cancel(id);
		if (result == CancelResult.UNKNOWN) {
			throw unknown(id);
		}
		return ResultDescriptor.of(result);
	}

	private ResultDescriptor requeue(String id) {
		if (this.administration.find(id).isEmpty()) {
			throw unknown(id);
		}
		EnqueueResult result;
		try {
			result = this.administration.requeue(id);
		}
		catch (IllegalArgumentException ex) {
			// The job was trimmed in the meantime.
			throw unknown(id);
		}
		if (result instanceof EnqueueResult.Duplicate itself && id.equals(itself.of())) {
			return new ResultDescriptor(UpdateResult.REFUSED.name(), null, id, itself.state(), null, null, null, null,
					null);
		}
		return ResultDescriptor.of(result);
	}

	private static ResultDescriptor updated(String id, UpdateResult result) {
		if (result == UpdateResult.UNKNOWN) {
			throw unknown(id);
		}
		return ResultDescriptor.of(result);
	}

	private static String target(@Nullable String queue) {
		if (!StringUtils.hasText(queue)) {
			throw new IllegalArgumentException(
					"Write the queue to which the job is moved: queue=..., or to=... for many jobs");
		}
		return queue;
	}

	private static Instant time(@Nullable String at) {
		if (!StringUtils.hasText(at)) {
			throw new IllegalArgumentException("Write the new due time of the job: at=2030-01-31T08:00:00Z");
		}
		return ListQuery.time("at", at);
	}

	static UnknownEntryException unknown(String id) {
		return new UnknownEntryException("There is no job '" + id + "', or its record was deleted after its end");
	}

	/**
	 * Number of jobs, of which one request counts some ten thousand.
	 *
	 * @param jobs the number of jobs
	 * @param cursor where to go on counting, or {@code null} if these are all
	 */
	public record CountDescriptor(long jobs, @Nullable String cursor) implements OperationResponseBody {

	}

	/**
	 * A page of jobs.
	 *
	 * @param jobs the jobs
	 * @param cursor the start of the next page, or {@code null} if this is the last one
	 */
	public record JobsDescriptor(List<JobDescriptor> jobs, @Nullable String cursor) implements OperationResponseBody {

	}

}
