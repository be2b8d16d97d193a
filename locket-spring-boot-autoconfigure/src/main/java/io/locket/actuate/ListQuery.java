package io.locket.actuate;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.job.JobFilter;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * What a request asks of a list, as it was written. What is {@code null} or empty is not
 * asked for.
 *
 * @param queue the name of a queue
 * @param job the name of a job
 * @param key the digest of a key
 * @param state states of jobs, separated by commas, in upper or lower case
 * @param limit how many entries at most
 * @param cursor where the page begins, as the page before it said
 */
record ListQuery(@Nullable String queue, @Nullable String job, @Nullable String key, @Nullable String state,
		@Nullable String limit, @Nullable String cursor) {

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LIMIT = 1000;

	/**
	 * Ask for whatever is there.
	 */
	static ListQuery all() {
		return new ListQuery(null, null, null, null, null, null);
	}

	/**
	 * Ask for a number of entries only.
	 */
	static ListQuery ofLimit(@Nullable Integer limit) {
		return new ListQuery(null, null, null, null, text(limit), null);
	}

	/**
	 * Write a number as a request does.
	 */
	static @Nullable String text(@Nullable Integer number) {
		return (number != null) ? number.toString() : null;
	}

	/**
	 * Ask for the jobs of one queue only.
	 */
	ListQuery ofQueue(String name) {
		return new ListQuery(name, this.job, this.key, this.state, this.limit, this.cursor);
	}

	/**
	 * Return how many entries are asked for.
	 * @throws IllegalArgumentException if so many are never answered
	 */
	int size() {
		if (!StringUtils.hasText(this.limit)) {
			return DEFAULT_LIMIT;
		}
		int size = this.limit.strip().matches("[0-9]{1,4}") ? Integer.parseInt(this.limit.strip()) : 0;
		if (size < 1 || size > MAX_LIMIT) {
			throw new IllegalArgumentException(
					"'limit' must be a number from 1 to " + MAX_LIMIT + ", and is '" + this.limit + "'");
		}
		return size;
	}

	/**
	 * Return where the page begins.
	 * @throws IllegalArgumentException if the cursor is none
	 */
	@Nullable String place() {
		return StringUtils.hasText(this.cursor) ? PageCursor.read(this.cursor) : null;
	}

	/**
	 * Return which jobs are asked for.
	 * @throws IllegalArgumentException if a state or the name of the queue is none
	 */
	JobFilter filter() {
		JobFilter filter = JobFilter.all();
		if (StringUtils.hasText(this.state)) {
			filter = JobFilter
				.inState(Arrays.stream(this.state.split(",", -1)).map(ListQuery::stateOf).toArray(JobState[]::new));
		}
		if (StringUtils.hasText(this.queue)) {
			filter = filter.queue(this.queue);
		}
		if (StringUtils.hasText(this.job)) {
			filter = filter.job(this.job);
		}
		return StringUtils.hasText(this.key) ? filter.keyDigest(this.key) : filter;
	}

	private static JobState stateOf(String name) {
		return Arrays.stream(JobState.values())
			.filter((state) -> state.name().equalsIgnoreCase(name.strip()))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("'" + name + "' is no state of a job: write some of "
					+ Arrays.stream(JobState.values())
						.map((state) -> state.name().toLowerCase(Locale.ROOT))
						.collect(Collectors.joining(", "))
					+ ", separated by commas"));
	}

}
