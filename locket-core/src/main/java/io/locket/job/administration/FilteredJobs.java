package io.locket.job.administration;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.locket.JobState;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Jobs that a {@link JobFilter} selects, read in pages. They are ordered by state, and
 * waiting jobs within a state by queue. A cursor is a position in that order,
 * {@code <state>/<queue>/<cursor of the store>}.
 */
final class FilteredJobs {

	/**
	 * Maximum number of calls of the store for one page.
	 */
	private static final int CALLS = 100;

	/**
	 * Number of calls without a job after which a page leaves empty sections out, if
	 * there are more than it may visit.
	 */
	private static final int FRUITLESS_CALLS = 10;

	private static final int STREAMED = 500;

	/**
	 * States of jobs that wait in their place for a worker or their key.
	 */
	private static final Set<JobState> IN_PLACE = Set.of(JobState.READY, JobState.PARKED);

	private final JobStore store;

	private final JobFilter filter;

	private final Predicate<JobRecord> predicate;

	/**
	 * Creates an instance.
	 * @param store the store of the jobs
	 * @param filter the filter
	 * @param predicate the criteria of the filter that the store does not evaluate
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
		// If few jobs of a page match, filling it up would cost one call for each job.
		int enough = evaluatesHere() ? (limit + 1) / 2 : limit;
		for (int calls = 0; section != null && calls < CALLS && jobs.size() < enough; calls++) {
			JobPage page = this.store
				.list(listing(section, limit - jobs.size(), (inner == null || inner.isEmpty()) ? null : inner));
			page.jobs().stream().filter(this.predicate).forEach(jobs::add);
			inner = page.cursor();
			if (calls + 1 == FRUITLESS_CALLS && jobs.isEmpty() && sections.size() > CALLS) {
				sections = withoutEmpty(sections);
			}
			section = (inner != null) ? section : next(sections, section, false);
		}
		return new JobPage(jobs, (section != null) ? section + Objects.requireNonNullElse(inner, "") : null);
	}

	private JobQuery listing(Section section, int limit, @Nullable String cursor) {
		DueRange due = isTimed(section.state()) ? this.filter.due() : DueRange.ANY;
		return new JobQuery(section.state(), section.queue(), this.filter.job(), this.filter.digest(), limit, cursor,
				due.from(), due.until());
	}

	/**
	 * Returns whether the store filters jobs of a state by their due time.
	 */
	private static boolean isTimed(JobState state) {
		return state == JobState.SCHEDULED || state == JobState.RETRY;
	}

	/**
	 * Returns the first section behind a position, which may no longer exist.
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
	 * Returns the sections that may have jobs. One call for the counts of the queues
	 * replaces those for the empty sections, which could use up the calls of a page.
	 */
	private List<Section> withoutEmpty(List<Section> sections) {
		Map<String, QueueCounts> counts = this.store.overview()
			.queues()
			.stream()
			.map(QueueOverview::counts)
			.collect(Collectors.toMap(QueueCounts::queue, Function.identity()));
		return sections.stream()
			.filter((section) -> section.queue() == null || mayHaveJobs(section.state(), counts.get(section.queue())))
			.toList();
	}

	/**
	 * Returns whether a queue may have jobs of a state. The overview leaves some queues
	 * out. Counters that cannot be read are zero, so they do not account for all jobs.
	 */
	private static boolean mayHaveJobs(JobState state, @Nullable QueueCounts counts) {
		if (counts == null || counts.in(state) > 0) {
			return true;
		}
		long came = counts.accepted() + counts.movedIn();
		long accounted = counts.states().values().stream().mapToLong(Long::longValue).sum() + counts.unreadable()
				+ counts.lost() + counts.movedOut();
		return came == 0 || came != accounted;
	}

	/**
	 * Returns the expected state of a job for its update. An update of one job of a key
	 * can make another one ready, or park it. That is no change if the filter selects
	 * both states.
	 */
	ExpectedJob expected(JobRecord job) {
		Set<JobState> states = EnumSet.of(job.state());
		if (IN_PLACE.contains(job.state())) {
			states.addAll(IN_PLACE);
			states.retainAll(this.filter.states());
		}
		return new ExpectedJob(job.id(), states, job.queue(), evaluatesHere() ? job.arguments() : null,
				DueRange.ANY.equals(this.filter.due()) ? null : job.startAt());
	}

	/**
	 * Returns whether records are evaluated here, and not only by the store.
	 */
	private boolean evaluatesHere() {
		return this.filter.arguments() != null || this.filter.predicate() != null
				|| !DueRange.ANY.equals(this.filter.due());
	}

	/**
	 * Streams all jobs, fetching pages as the stream is consumed.
	 */
	Stream<JobRecord> stream() {
		return stream(STREAMED);
	}

	/**
	 * Streams all jobs in pages of a size, fetching them as the stream is consumed.
	 */
	Stream<JobRecord> stream(int limit) {
		return StreamSupport.stream(new Pages(limit), false).flatMap((page) -> page.jobs().stream());
	}

	/**
	 * Spliterator of pages, each of which is fetched when it is needed.
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
	 * Jobs of a state and, if they are waiting, of one queue.
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
