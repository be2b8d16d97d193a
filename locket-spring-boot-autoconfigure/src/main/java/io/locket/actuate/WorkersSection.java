package io.locket.actuate;

import java.time.Instant;
import java.util.List;

import io.locket.job.JobAdministration;
import io.locket.queue.WorkerSighting;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The processes that take jobs.
 */
final class WorkersSection implements EndpointSection {

	static final String PATH = "workers";

	private final JobAdministration administration;

	private final @Nullable String instance;

	WorkersSection(JobAdministration administration, @Nullable String instance) {
		this.administration = administration;
		this.instance = instance;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public WorkersDescriptor list(ListQuery query, ArgumentMask mask) {
		return new WorkersDescriptor(this.administration.workers().stream().map(this::describe).toList());
	}

	private WorkerDescriptor describe(WorkerSighting worker) {
		return new WorkerDescriptor(worker.instance(), worker.lastSeen(), worker.lanes(), worker.running(),
				worker.instance().equals(this.instance));
	}

	/**
	 * All processes that take jobs.
	 *
	 * @param workers the processes that have asked for jobs lately
	 */
	public record WorkersDescriptor(List<WorkerDescriptor> workers) implements OperationResponseBody {

	}

	/**
	 * A process that takes jobs.
	 *
	 * @param instance its name
	 * @param lastSeen when it last asked for jobs, by the clock of the store
	 * @param lanes how many of its threads ask
	 * @param running how many jobs it runs
	 * @param thisInstance whether it is the process that answers
	 */
	public record WorkerDescriptor(String instance, Instant lastSeen, int lanes, int running, boolean thisInstance) {

	}

}
