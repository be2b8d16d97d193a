package io.locket.actuate;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.JobDescriptor;
import io.locket.actuate.descriptor.PageCursor;
import io.locket.actuate.descriptor.QueueDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.JobPage;
import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The section of the queues: their figures, and their jobs in pages. A queue that never
 * had a job or a setting is unknown, so that an operation on a misspelt name fails.
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
	public Set<String> entryParameters(String name) {
		return ListQuery.OF_A_QUEUE;
	}

	@Override
	public QueuesDescriptor list(ListQuery query, ArgumentMask mask) {
		return new QueuesDescriptor(queues());
	}

	/**
	 * Returns the queues, in one call of the store.
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
		requireKnown(name, "");
		ListQuery ofQueue = query.ofQueue(name);
		JobPage page = this.administration.list(ofQueue.filter(mask), query.size(), query.place());
		QueueDescriptor figures = queues().stream()
			.filter((queue) -> queue.queue().equals(name))
			.findFirst()
			.orElseGet(() -> QueueDescriptor.of(this.administration.counts(name), null));
		return new QueueJobsDescriptor(figures, page.jobs().stream().map((job) -> JobDescriptor.of(job, mask)).toList(),
				PageCursor.write(page.cursor()));
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String create) {
		if (!isCreated(create)) {
			requireKnown(name, (write == EndpointWrite.QUEUE_PAUSED)
					? ". A web request with the parameter create=true pauses it nevertheless" : "");
		}
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
			default -> throw new IllegalStateException(write + " is not an operation on queues");
		};
	}

	private static boolean isCreated(@Nullable String create) {
		if (create == null) {
			return false;
		}
		return switch (create.strip().toLowerCase(Locale.ROOT)) {
			case "true" -> true;
			case "false" -> false;
			default -> throw new IllegalArgumentException("'create' must be true or false, but is '" + create + "'");
		};
	}

	private void requireKnown(String name, String remedy) {
		if (!this.administration.queues().contains(QueueNames.require(name))) {
			throw new UnknownEntryException(
					"There is no queue '" + name + "'. It never had a job or a setting" + remedy);
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
	 * A queue and a page of its jobs.
	 *
	 * @param queue the figures of the queue
	 * @param jobs the jobs
	 * @param cursor the start of the next page, or {@code null} if this is the last one
	 */
	public record QueueJobsDescriptor(QueueDescriptor queue, List<JobDescriptor> jobs,
			@Nullable String cursor) implements OperationResponseBody {

	}

}
