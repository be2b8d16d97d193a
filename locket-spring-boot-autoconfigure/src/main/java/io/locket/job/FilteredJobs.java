package io.locket.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.locket.JobState;
import io.locket.queue.JobListing;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.JobSighting;
import io.locket.queue.JobStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The jobs that a {@link JobFilter} means, a page at a time. The states follow one
 * another, and of jobs that wait the queues of a state. A cursor is the place in that
 * order, {@code <state>/<queue>/<cursor of the store>}.
 */
final class FilteredJobs {

	/**
	 * How often the store is asked for one page.
	 */
	private static final int CALLS = 50;

	private static final int STREAMED = 500;

	private final JobStore store;

	private final JobFilter filter;

	private final Predicate<JobRecord> predicate;

	/**
	 * Create an instance.
	 * @param store where the jobs are
	 * @param filter which ones
	 * @param predicate what the filter asks for beyond what the store looks for
	 */
	FilteredJobs(JobStore store, JobFilter filter, Predicate<JobRecord> predicate) {
		this.store = store;
		this.filter = filter;
		this.predicate = predicate.and(filter.due()::contains);
	}

	JobPage page(int limit, @Nullable String cursor) {
		Assert.isTrue(limit >= 1 && limit <= 1000, () -> "A page has 1 to 1000 jobs, not " + limit);
		List<Section> sections = sections();
		List<JobRecord> jobs = new ArrayList<>();
		Section section = null;
		String inner = null;
		if (cursor != null) {
			Section place = Section.of(cursor);
			section = next(sections, place, true);
			inner = place.equals(section) ? cursor.substring(place.toString().length()) : null;
		}
		else if (!sections.isEmpty()) {
			section = sections.get(0);
		}
		// Where most jobs of a page are not meant, the last ones would cost a call each.
		int enough = looksHere() ? (limit + 1) / 2 : limit;
		for (int calls = 0; section != null && calls < CALLS && jobs.size() < enough; calls++) {
			JobPage page = this.store
				.list(listing(section, limit - jobs.size(), (inner == null || inner.isEmpty()) ? null : inner));
			page.jobs().stream().filter(this.predicate).forEach(jobs::add);
			inner = page.cursor();
			section = (inner != null) ? section : next(sections, section, false);
		}
		return new JobPage(jobs, (section != null) ? section + Objects.requireNonNullElse(inner, "") : null);
	}

	private JobListing listing(Section section, int limit, @Nullable String cursor) {
		DueRange due = isTimed(section.state()) ? this.filter.due() : DueRange.ANY;
		return new JobListing(section.state(), section.queue(), this.filter.job(), this.filter.digest(), limit, cursor,
				due.from(), due.until());
	}

	/**
	 * Whether the store finds jobs of a state by their due time.
	 */
	private static boolean isTimed(JobState state) {
		return state == JobState.SCHEDULED || state == JobState.RETRY;
	}

	/**
	 * The first section behind a place that may not be there any more.
	 */
	private static @Nullable Section next(List<Section> sections, Section place, boolean itself) {
		return sections.stream()
			.filter((section) -> section.compareTo(place) > 0 || (itself && section.equals(place)))
			.findFirst()
			.orElse(null);
	}

	private List<Section> sections() {
		List<Section> sections = new ArrayList<>();
		List<String> queues = (this.filter.queue() != null) ? List.of(this.filter.queue())
				: this.filter.states().stream().anyMatch(JobState::isWaiting) ? List.copyOf(this.store.queues())
						: List.of();
		for (JobState state : this.filter.states()) {
			if (state.isWaiting()) {
				queues.stream().sorted().forEach((queue) -> sections.add(new Section(state, queue)));
			}
			else {
				sections.add(new Section(state, this.filter.queue()));
			}
		}
		return sections;
	}

	/**
	 * What has to be true of a job still when it is steered.
	 */
	JobSighting sighting(JobRecord job) {
		return new JobSighting(job.id(), Set.of(job.state()), job.queue(), looksHere() ? job.arguments() : null,
				DueRange.ANY.equals(this.filter.due()) ? null : job.startAt());
	}

	/**
	 * Whether records are looked at here, and not only by the store.
	 */
	private boolean looksHere() {
		return this.filter.arguments() != null || this.filter.predicate() != null
				|| !DueRange.ANY.equals(this.filter.due());
	}

	/**
	 * Stream all of them, as the stream is consumed.
	 */
	Stream<JobRecord> stream() {
		return stream(STREAMED);
	}

	/**
	 * Stream all of them in pages of some size, as the stream is consumed.
	 */
	Stream<JobRecord> stream(int limit) {
		return StreamSupport.stream(new Pages(limit), false).flatMap((page) -> page.jobs().stream());
	}

	/**
	 * The pages, each of which is asked for when it is needed.
	 */
	private final class Pages extends Spliterators.AbstractSpliterator<JobPage> {

		private final int limit;

		private @Nullable String cursor;

		private boolean over;

		Pages(int limit) {
			super(Long.MAX_VALUE, Spliterator.NONNULL | Spliterator.ORDERED);
			this.limit = limit;
		}

		@Override
		public boolean tryAdvance(Consumer<? super JobPage> action) {
			if (this.over) {
				return false;
			}
			JobPage page = page(this.limit, this.cursor);
			this.cursor = page.cursor();
			this.over = this.cursor == null;
			action.accept(page);
			return true;
		}

	}

	/**
	 * The jobs of a state, if they wait of one queue.
	 *
	 * @param state the state
	 * @param queue the queue, or {@code null} for all of them
	 */
	private record Section(JobState state, @Nullable String queue) implements Comparable<Section> {

		static Section of(String cursor) {
			String[] parts = cursor.split("/", 3);
			JobState state = Stream.of(JobState.values())
				.filter((candidate) -> candidate.name().equals(parts[0]))
				.findFirst()
				.orElse(null);
			if (state == null || parts.length != 3) {
				throw new IllegalArgumentException("'" + cursor + "' is no cursor of a page of jobs");
			}
			return new Section(state, parts[1].isEmpty() ? null : parts[1]);
		}

		@Override
		public int compareTo(Section other) {
			int byState = this.state.compareTo(other.state);
			return (byState != 0) ? byState
					: Objects.requireNonNullElse(this.queue, "").compareTo(Objects.requireNonNullElse(other.queue, ""));
		}

		@Override
		public String toString() {
			return this.state + "/" + Objects.requireNonNullElse(this.queue, "") + "/";
		}

	}

}
