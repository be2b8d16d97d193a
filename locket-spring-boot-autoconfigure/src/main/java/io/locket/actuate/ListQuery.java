package io.locket.actuate;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.PageCursor;
import io.locket.job.administration.JobFilter;
import io.locket.queue.ThroughputSample;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.util.StringUtils;

/**
 * The parameters of a list request, as written. A parameter that is {@code null} or empty
 * is ignored. {@link ParameterCheck} refuses empty filters of bulk actions.
 *
 * @param queue the name of a queue
 * @param job the name of a job
 * @param key the digest of a key
 * @param state states of jobs, separated by commas, in upper or lower case
 * @param limit the maximum number of entries
 * @param cursor the start of the page, from the previous page
 * @param text a text in the arguments of a job
 * @param dueFrom the earliest due time, in ISO 8601 with an offset
 * @param dueUntil the time before which jobs are due, in ISO 8601 with an offset
 */
record ListQuery(@Nullable String queue, @Nullable String job, @Nullable String key, @Nullable String state,
		@Nullable String limit, @Nullable String cursor, @Nullable String text, @Nullable String dueFrom,
		@Nullable String dueUntil) {

	/**
	 * The parameters of a list of jobs of one queue.
	 */
	static final Set<String> OF_A_QUEUE = Set.of("job", "key", "state", "limit", "cursor", "text", "dueFrom",
			"dueUntil");

	/**
	 * The parameters of a list of jobs.
	 */
	static final Set<String> OF_ALL_JOBS = Set.of("queue", "job", "key", "state", "limit", "cursor", "text", "dueFrom",
			"dueUntil");

	/**
	 * The parameters that select jobs.
	 */
	static final Set<String> FILTERS = Set.of("queue", "job", "key", "state", "text", "dueFrom", "dueUntil");

	/**
	 * The parameter of a list without pages.
	 */
	static final Set<String> LIMIT = Set.of("limit");

	private static final int DEFAULT_LIMIT = 50;

	private static final int DEFAULT_STEP = 500;

	private static final int MAX_LIMIT = 1000;

	ListQuery(@Nullable String queue, @Nullable String job, @Nullable String key, @Nullable String state,
			@Nullable String limit, @Nullable String cursor) {
		this(queue, job, key, state, limit, cursor, null, null, null);
	}

	/**
	 * Returns a query without a filter.
	 */
	static ListQuery all() {
		return new ListQuery(null, null, null, null, null, null);
	}

	/**
	 * Returns a query with a maximum number of entries.
	 */
	static ListQuery ofLimit(@Nullable Integer limit) {
		return new ListQuery(null, null, null, null, text(limit), null);
	}

	/**
	 * Returns a number as the text of a parameter.
	 */
	static @Nullable String text(@Nullable Integer number) {
		return (number != null) ? number.toString() : null;
	}

	/**
	 * Returns a query for the jobs of one queue.
	 */
	ListQuery ofQueue(String name) {
		return new ListQuery(name, this.job, this.key, this.state, this.limit, this.cursor, this.text, this.dueFrom,
				this.dueUntil);
	}

	/**
	 * Returns the filters by their names, for an audit event.
	 */
	Map<String, Object> named() {
		Map<String, Object> named = new LinkedHashMap<>();
		put(named, "state", this.state);
		put(named, "queue", this.queue);
		put(named, "job", this.job);
		put(named, "key", this.key);
		put(named, "dueFrom", this.dueFrom);
		put(named, "dueUntil", this.dueUntil);
		if (isByArguments()) {
			named.put("text", SanitizableData.SANITIZED_VALUE);
		}
		return named;
	}

	private static void put(Map<String, Object> named, String name, @Nullable String value) {
		if (StringUtils.hasText(value)) {
			named.put(name, value);
		}
	}

	/**
	 * Returns the maximum number of entries.
	 * @throws IllegalArgumentException if the limit is invalid
	 */
	int size() {
		return size(DEFAULT_LIMIT, MAX_LIMIT);
	}

	/**
	 * Returns the number of minutes.
	 * @throws IllegalArgumentException if the limit is invalid
	 */
	int minutes() {
		return size(ThroughputSection.HOUR, ThroughputSample.KEPT_MINUTES);
	}

	/**
	 * Returns the largest number of entries of one step that writes.
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	int step() {
		return size(DEFAULT_STEP, MAX_LIMIT);
	}

	private int size(int usual, int most) {
		if (!StringUtils.hasText(this.limit)) {
			return usual;
		}
		int size = this.limit.strip().matches("[0-9]{1,4}") ? Integer.parseInt(this.limit.strip()) : 0;
		if (size < 1 || size > most) {
			throw new IllegalArgumentException(
					"'limit' must be a number from 1 to " + most + ", but is '" + this.limit + "'");
		}
		return size;
	}

	/**
	 * Returns the start of the page.
	 * @throws IllegalArgumentException if the cursor is invalid
	 */
	@Nullable String place() {
		return StringUtils.hasText(this.cursor) ? PageCursor.read(this.cursor) : null;
	}

	/**
	 * Returns whether the jobs depend on the arguments that the caller may see.
	 */
	boolean isByArguments() {
		return StringUtils.hasText(this.text);
	}

	/**
	 * Returns the filter of jobs.
	 * @param mask the mask; hidden arguments match no text
	 * @throws IllegalArgumentException if a state, a time or the name of the queue is
	 * invalid, or if the caller may not see arguments and filters by them
	 */
	JobFilter filter(ArgumentMask mask) {
		JobFilter filter = filter();
		if (!isByArguments()) {
			return filter;
		}
		if (!mask.isShown()) {
			throw new IllegalArgumentException("You cannot filter by 'text', because arguments are hidden from you. "
					+ "management.endpoint.locket.show-arguments selects the users who see them");
		}
		String part = Objects.requireNonNull(this.text).strip().toLowerCase(Locale.ROOT);
		return filter
			.matching((job) -> mask.isShown(job.job()) && job.arguments().toLowerCase(Locale.ROOT).contains(part));
	}

	/**
	 * Returns the filter of jobs without that by arguments.
	 */
	private JobFilter filter() {
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
		if (StringUtils.hasText(this.dueFrom)) {
			filter = filter.dueFrom(time("dueFrom", this.dueFrom));
		}
		if (StringUtils.hasText(this.dueUntil)) {
			filter = filter.dueUntil(time("dueUntil", this.dueUntil));
		}
		return StringUtils.hasText(this.key) ? filter.keyDigest(this.key) : filter;
	}

	/**
	 * Reads a time.
	 * @param name the name of the parameter
	 * @param time the time, in ISO 8601 with an offset
	 * @throws IllegalArgumentException if the time is invalid
	 */
	static Instant time(String name, String time) {
		try {
			return OffsetDateTime.parse(time.strip()).toInstant();
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(
					"'" + name + "' must be a time with an offset, such as 2030-01-31T08:00:00Z, but is '" + time + "'",
					ex);
		}
	}

	private static JobState stateOf(String name) {
		return Arrays.stream(JobState.values())
			.filter((state) -> state.name().equalsIgnoreCase(name.strip()))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("'" + name + "' is not a state of a job. Write any of "
					+ Arrays.stream(JobState.values())
						.map((state) -> state.name().toLowerCase(Locale.ROOT))
						.collect(Collectors.joining(", "))
					+ ", separated by commas"));
	}

}
