package io.locket.queue.memory;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.locket.JobState;
import io.locket.queue.JobPage;
import io.locket.queue.spi.JobQuery;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Paged listing of the jobs of the {@link InMemoryJobQueue}.
 */
final class MemoryQueries {

	private static final Pattern CURSOR = Pattern.compile("(-?[0-9]{1,17}) ([A-Za-z0-9_.-]{1,64})");

	private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::score).thenComparing(Place::id);

	private final MemoryStore store;

	private final JobQuery listing;

	MemoryQueries(MemoryStore store, JobQuery listing) {
		this.store = store;
		this.listing = listing;
	}

	JobPage page() {
		Comparator<Place> order = this.listing.state().isEnded() ? ORDER.reversed() : ORDER;
		Place from = from(this.listing.cursor());
		List<MemoryJob> behind = this.store.jobs(
				(job) -> isListed(job) && (from == null || order.compare(place(job), from) > 0),
				Comparator.comparing(this::place, order));
		List<MemoryJob> page = behind.subList(0, Math.min(behind.size(), this.listing.limit()));
		String next = (page.size() < behind.size()) ? place(page.get(page.size() - 1)).toString() : null;
		return new JobPage(page.stream().map(MemoryJob::toRecord).toList(), next);
	}

	private static @Nullable Place from(@Nullable String cursor) {
		if (cursor == null) {
			return null;
		}
		Matcher matcher = CURSOR.matcher(cursor);
		Assert.isTrue(matcher.matches(), () -> "'" + cursor + "' is no cursor of a page of jobs");
		return new Place(Long.parseLong(matcher.group(1)), matcher.group(2));
	}

	private boolean isListed(MemoryJob job) {
		JobQuery wanted = this.listing;
		return job.is(wanted.state()) && (!job.is(JobState.DEAD) || job.isLetter())
				&& (wanted.queue() == null || wanted.queue().equals(job.queue()))
				&& (wanted.job() == null || wanted.job().equals(job.spec.job()))
				&& (wanted.digest() == null || wanted.digest().equals(job.digest())) && isInTime(job);
	}

	private boolean isInTime(MemoryJob job) {
		Instant from = this.listing.dueFrom();
		Instant until = this.listing.dueUntil();
		return (from == null || place(job).score() >= from.toEpochMilli())
				&& (until == null || place(job).score() < until.toEpochMilli());
	}

	private Place place(MemoryJob job) {
		long score = switch (job.state) {
			case SCHEDULED, RETRY -> Objects.requireNonNull(job.due);
			case READY, PARKED -> job.sequence;
			case RUNNING -> 0;
			default -> Objects.requireNonNull(job.endedAt);
		};
		return new Place(score, job.id());
	}

	/**
	 * Position of a job in the order of its state.
	 *
	 * @param score the place or time of the job
	 * @param id the id of the job
	 */
	private record Place(long score, String id) {

		@Override
		public String toString() {
			return this.score + " " + this.id;
		}

	}

}
