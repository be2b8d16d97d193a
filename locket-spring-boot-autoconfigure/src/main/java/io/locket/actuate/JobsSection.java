package io.locket.actuate;

import java.util.List;

import io.locket.job.JobAdministration;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.SteerResult;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.util.StringUtils;

/**
 * The jobs of all queues: some of them a page at a time, or one by its id.
 */
final class JobsSection implements EndpointSection {

	static final String PATH = "jobs";

	private final JobAdministration administration;

	JobsSection(JobAdministration administration) {
		this.administration = administration;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public JobsDescriptor list(ListQuery query, ArgumentMask mask) {
		JobPage page = this.administration.list(query.filter(), query.size(), query.place());
		return new JobsDescriptor(page.jobs().stream().map((job) -> JobDescriptor.of(job, mask)).toList(),
				PageCursor.write(page.cursor()));
	}

	@Override
	public JobDescriptor entry(String name, ListQuery query, ArgumentMask mask) {
		return this.administration.find(name)
			.map((job) -> JobDescriptor.of(job, mask))
			.orElseThrow(() -> unknown(name));
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String queue) {
		return switch (write) {
			case JOB_CANCELLED -> cancel(name);
			case JOB_PUT_BACK -> putBack(name);
			case JOB_RUN_NOW -> steered(name, this.administration.runNow(name));
			case JOB_DISMISSED -> steered(name, this.administration.dismiss(name));
			case JOB_MOVED -> steered(name, this.administration.move(name, target(queue)));
			default -> throw new IllegalStateException(write + " is nothing that is done to jobs");
		};
	}

	private ResultDescriptor cancel(String id) {
		CancelResult result = this.administration.cancel(id);
		if (result == CancelResult.UNKNOWN) {
			throw unknown(id);
		}
		return ResultDescriptor.of(result);
	}

	private ResultDescriptor putBack(String id) {
		if (this.administration.find(id).isEmpty()) {
			throw unknown(id);
		}
		EnqueueResult result;
		try {
			result = this.administration.putBack(id);
		}
		catch (IllegalArgumentException ex) {
			// It was trimmed since.
			throw unknown(id);
		}
		if (result instanceof EnqueueResult.Duplicate itself && id.equals(itself.of())) {
			return new ResultDescriptor(SteerResult.REFUSED.name(), null, id, itself.state(), null, null, null);
		}
		return ResultDescriptor.of(result);
	}

	private static ResultDescriptor steered(String id, SteerResult result) {
		if (result == SteerResult.UNKNOWN) {
			throw unknown(id);
		}
		return ResultDescriptor.of(result);
	}

	private static String target(@Nullable String queue) {
		if (!StringUtils.hasText(queue)) {
			throw new IllegalArgumentException("Name the queue to which the job is to be moved: queue=...");
		}
		return queue;
	}

	private static UnknownEntryException unknown(String id) {
		return new UnknownEntryException("There is no job '" + id + "', or it is no longer known");
	}

	/**
	 * Some jobs.
	 *
	 * @param jobs a page of them
	 * @param cursor where the next page begins, or {@code null} if this is the last one
	 */
	public record JobsDescriptor(List<JobDescriptor> jobs, @Nullable String cursor) implements OperationResponseBody {

	}

}
