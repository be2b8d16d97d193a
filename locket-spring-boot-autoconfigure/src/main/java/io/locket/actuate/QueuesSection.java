package io.locket.actuate;

import java.util.List;

import io.locket.job.JobAdministration;
import io.locket.queue.JobPage;
import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The queues: their figures, and their jobs a page at a time. A queue that has never had
 * a job or a setting is unknown, so that a misspelt name pauses nothing unseen.
 */
final class QueuesSection implements EndpointSection {

	static final String PATH = "queues";

	private final JobAdministration administration;

	QueuesSection(JobAdministration administration) {
		this.administration = administration;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public QueuesDescriptor list(ListQuery query, ArgumentMask mask) {
		return new QueuesDescriptor(queues());
	}

	/**
	 * Return the queues, in one step of the store.
	 */
	private List<QueueDescriptor> queues() {
		return this.administration.overview()
			.queues()
			.stream()
			.map((queue) -> QueueDescriptor.of(queue.counts(), queue.oldestWaiting()))
			.toList();
	}

	@Override
	public QueueJobsDescriptor entry(String name, ListQuery query, ArgumentMask mask) {
		requireKnown(name);
		ListQuery ofQueue = query.ofQueue(name);
		JobPage page = this.administration.list(ofQueue.filter(), query.size(), query.place());
		QueueDescriptor figures = queues().stream()
			.filter((queue) -> queue.queue().equals(name))
			.findFirst()
			.orElseGet(() -> QueueDescriptor.of(this.administration.counts(name), null));
		return new QueueJobsDescriptor(figures, page.jobs().stream().map((job) -> JobDescriptor.of(job, mask)).toList(),
				PageCursor.write(page.cursor()));
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String queue) {
		requireKnown(name);
		return switch (write) {
			case QUEUE_PAUSED -> {
				this.administration.pause(name);
				yield ResultDescriptor.of("PAUSED");
			}
			case QUEUE_RESUMED -> {
				this.administration.resume(name);
				yield ResultDescriptor.of("RESUMED");
			}
			case QUEUE_REMOVED -> ResultDescriptor.removed(this.administration.remove(name));
			default -> throw new IllegalStateException(write + " is nothing that is done to queues");
		};
	}

	private void requireKnown(String name) {
		if (!this.administration.queues().contains(QueueNames.require(name))) {
			throw new UnknownEntryException("There is no queue '" + name + "': it has had neither a job nor a setting");
		}
	}

	/**
	 * All queues.
	 *
	 * @param queues the queues, by name; the first thousand
	 */
	public record QueuesDescriptor(List<QueueDescriptor> queues) implements OperationResponseBody {

	}

	/**
	 * One queue.
	 *
	 * @param queue the queue in figures
	 * @param jobs a page of its jobs
	 * @param cursor where the next page begins, or {@code null} if this is the last one
	 */
	public record QueueJobsDescriptor(QueueDescriptor queue, List<JobDescriptor> jobs,
			@Nullable String cursor) implements OperationResponseBody {

	}

}
