package io.locket.job;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.locket.JobState;
import io.locket.queue.DueTime;
import io.locket.queue.DueTimeListing;
import io.locket.queue.JobRecord;
import io.locket.queue.JobStore;
import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

/**
 * The delayed jobs by the times at which they are due, of all queues or of one. Those
 * that wait for a retry are none. {@link JobAdministration} finds and steers them with
 * {@link JobFilter#delayed()}. Immutable and thread-safe.
 * <p>
 * Nothing here looks at more jobs than it returns; each queue is asked at least once. The
 * streams ask as they are consumed, while jobs come and go: one that changes meanwhile
 * may be met twice or not at all. Every method throws a
 * {@link io.locket.queue.QueueUnavailableException} if the store gives no answer.
 */
public final class DelayedJobs {

	private static final int PAGE = 100;

	private static final Comparator<JobRecord> BY_TIME = Comparator.comparing(DelayedJobs::due)
		.thenComparing(JobRecord::queue)
		.thenComparing(JobRecord::id);

	private final JobStore store;

	private final @Nullable String queue;

	DelayedJobs(JobStore store, @Nullable String queue) {
		this.store = store;
		this.queue = queue;
	}

	private static Instant due(JobRecord job) {
		return Objects.requireNonNull(job.startAt(), "A scheduled job has a due time");
	}

	/**
	 * Look at those of one queue only.
	 * @param queue the name of the queue
	 * @return a view of its own
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public DelayedJobs queue(String queue) {
		return new DelayedJobs(this.store, QueueNames.require(queue));
	}

	/**
	 * Count them.
	 * @return how many there are
	 */
	public long count() {
		return queues().stream().mapToLong((name) -> this.store.counts(name).in(JobState.SCHEDULED)).sum();
	}

	/**
	 * Count those that are due at a time, to the millisecond.
	 * @param time the time
	 * @return how many there are
	 */
	public long countAt(Instant time) {
		Instant millisecond = time.truncatedTo(ChronoUnit.MILLIS);
		return queues().stream()
			.flatMap((name) -> this.store.dueTimes(new DueTimeListing(name, millisecond, 1)).stream())
			.filter((due) -> due.time().equals(millisecond))
			.mapToLong(DueTime::jobs)
			.sum();
	}

	/**
	 * Stream the times at which some are due, the earliest first.
	 * @return the times, each once
	 */
	public Stream<DueTime> times() {
		return summed(null);
	}

	/**
	 * Stream the times from one on at which some are due, the earliest first.
	 * @param from the earliest time
	 * @return the times, each once
	 */
	public Stream<DueTime> times(Instant from) {
		return summed(Objects.requireNonNull(from, "'from' must not be null"));
	}

	private Stream<DueTime> summed(@Nullable Instant from) {
		return stream(() -> new SummedTimes(times(from, PAGE)));
	}

	/**
	 * The times of all queues, some of which may have the same.
	 */
	private Iterator<DueTime> times(@Nullable Instant from, int page) {
		return merge((name) -> new DueTimes(this.store, name, from, page), Comparator.comparing(DueTime::time));
	}

	/**
	 * Return when the first one is due.
	 * @return the time, or empty if there is none; it has passed if no worker has looked
	 * since
	 */
	public Optional<Instant> nextTime() {
		return stream(() -> times(null, 1)).findFirst().map(DueTime::time);
	}

	/**
	 * Return the one that is due first.
	 * @return the job, or empty if there is none
	 */
	public Optional<JobRecord> next() {
		return jobs(1).findFirst();
	}

	/**
	 * Stream them by the times at which they are due, the earliest first.
	 * @return the jobs
	 */
	public Stream<JobRecord> jobs() {
		return jobs(PAGE);
	}

	private Stream<JobRecord> jobs(int page) {
		return stream(() -> merge((name) -> {
			JobFilter filter = JobFilter.delayed().queue(name);
			return new FilteredJobs(this.store, filter, (job) -> true).stream(page).iterator();
		}, BY_TIME));
	}

	private Collection<String> queues() {
		return (this.queue != null) ? List.of(this.queue) : this.store.queues();
	}

	private <T> Iterator<T> merge(Function<String, Iterator<T>> ofQueue, Comparator<T> order) {
		return new MergedIterator<>(queues().stream().map(ofQueue).toList(), order);
	}

	private static <T> Stream<T> stream(Iterable<T> elements) {
		return StreamSupport.stream(() -> Spliterators.spliteratorUnknownSize(elements.iterator(),
				Spliterator.ORDERED | Spliterator.NONNULL), Spliterator.ORDERED | Spliterator.NONNULL, false);
	}

}
