package io.locket.actuate;

import java.time.Instant;
import java.util.List;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.WorkerInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The section of the worker processes.
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
		return new WorkersDescriptor(workers());
	}

	@Override
	public WorkerDescriptor entry(String name, ListQuery query, ArgumentMask mask) {
		return describe(find(name));
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String argument) {
		String worker = find(name).instance();
		return switch (write) {
			case WORKER_QUIETED -> {
				this.administration.workerControl().quiet(worker);
				yield ResultDescriptor.of("QUIETED");
			}
			case WORKER_RESUMED -> {
				this.administration.workerControl().resume(worker);
				yield ResultDescriptor.of("RESUMED");
			}
			default -> throw new IllegalStateException(write + " is not an operation on workers");
		};
	}

	/**
	 * Returns a process by its whole name or by the last part of it, because a path
	 * cannot contain the slashes of the name.
	 */
	private WorkerInfo find(String name) {
		List<WorkerInfo> found = this.administration.workers()
			.stream()
			.filter((worker) -> worker.instance().equals(name) || worker.instance().endsWith("/" + name))
			.toList();
		if (found.size() > 1) {
			throw new IllegalArgumentException("Several workers have a name that ends in '" + name + "'");
		}
		return found.stream()
			.findFirst()
			.orElseThrow(() -> new UnknownEntryException(
					"There is no worker '" + name + "'. Write the last part of its instance"));
	}

	List<WorkerDescriptor> workers() {
		return this.administration.workers().stream().map(this::describe).toList();
	}

	private WorkerDescriptor describe(WorkerInfo worker) {
		return new WorkerDescriptor(worker.instance(), worker.lastSeen(), worker.pollers(), worker.running(),
				worker.quiet(), worker.instance().equals(this.instance));
	}

	/**
	 * All worker processes.
	 *
	 * @param workers the processes that have recently polled for jobs
	 */
	public record WorkersDescriptor(List<WorkerDescriptor> workers) implements OperationResponseBody {

	}

	/**
	 * A worker process.
	 *
	 * @param instance its name
	 * @param lastSeen the time at which it was last seen, by the clock of the store
	 * @param pollers the number of its polling threads
	 * @param running the number of its running jobs
	 * @param quiet whether it takes no new jobs, because an operator has quieted it
	 * @param thisInstance whether it is the responding process
	 */
	public record WorkerDescriptor(String instance, Instant lastSeen, int pollers, int running, boolean quiet,
			boolean thisInstance) implements OperationResponseBody {

	}

}
