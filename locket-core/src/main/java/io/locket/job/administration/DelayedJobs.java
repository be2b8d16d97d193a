package io.locket.job.administration;

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
import io.locket.queue.JobRecord;
import io.locket.queue.QueueNames;
import io.locket.queue.spi.DueTimeQuery;
import io.locket.queue.spi.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * View of the delayed jobs, of all queues or of one, ordered by due time. Jobs that wait
 * for a retry are not included. {@link JobAdministration} finds and updates them with
 * {@link JobFilter#delayed()}. Immutable and thread-safe.
 * <p>
 * No method reads more jobs than it returns, but it calls the store at least once for
 * each queue. The streams call it as they are consumed, while jobs come and go: a job
 * that changes meanwhile may appear twice or not at all. Every method throws a
 * {@link io.locket.queue.QueueUnavailableException} if the store does not reply.
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
	 * Returns a view of the delayed jobs of one queue.
	 * @param queue the name of the queue
	 * @return a new view
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public DelayedJobs queue(String queue) {
		return new DelayedJobs(this.store, QueueNames.require(queue));
	}

	/**
	 * Returns the number of delayed jobs.
	 * @return the number
	 */
	public long count() {
		return queues().stream().mapToLong((name) -> this.store.counts(name).in(JobState.SCHEDULED)).sum();
	}

	/**
	 * Returns the number of jobs that are due at a time, to the millisecond.
	 * @param time the time
	 * @return the number
	 */
	public long countAt(Instant time) {
		Objects.requireNonNull(time, "'time' must not be null");
		Instant millisecond = time.truncatedTo(ChronoUnit.MILLIS);
		return queues().stream()
			.flatMap((name) -> this.store.dueTimes(new DueTimeQuery(name, millisecond, 1)).stream())
			.filter((due) -> due.time().equals(millisecond))
			.mapToLong(DueTime::jobs)
			.sum();
	}

	/**
	 * Streams the due times of delayed jobs, the earliest first.
	 * @return the times, each once
	 */
	public Stream<DueTime> times() {
		return summed(null);
	}

	/**
	 * Streams the due times of delayed jobs at or after a time, the earliest first.
	 * @param from the earliest time, inclusive
	 * @return the times, each once
	 */
	public Stream<DueTime> times(Instant from) {
		return summed(Objects.requireNonNull(from, "'from' must not be null"));
	}

	private Stream<DueTime> summed(@Nullable Instant from) {
		return stream(() -> new SummedTimes(times(from, PAGE)));
	}

	/**
	 * Returns the due times of all queues, with duplicates.
	 */
	private Iterator<DueTime> times(@Nullable Instant from, int page) {
		return merge((name) -> new DueTimes(this.store, name, from, page), Comparator.comparing(DueTime::time));
	}

	/**
	 * Returns the earliest due time.
	 * @return the time, or empty if there is no delayed job. It is in the past if no
	 * worker has polled since
	 */
	public Optional<Instant> nextTime() {
		return stream(() -> times(null, 1)).findFirst().map(DueTime::time);
	}

	/**
	 * Returns the job that is due first.
	 * @return the job, or empty if there is none
	 */
	public Optional<JobRecord> next() {
		return jobs(1).findFirst();
	}

	/**
	 * Streams the delayed jobs by their due times, the earliest first.
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
