package io.locket.queue;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A page of jobs. Immutable.
 *
 * @param jobs the jobs
 * @param cursor the start of the next page, or {@code null} if this is the last one
 */
public record JobPage(List<JobRecord> jobs, @Nullable String cursor) {

	public JobPage {
		jobs = List.copyOf(jobs);
	}

	/**
	 * Returns the start of the next page.
	 * @return the cursor, or empty if this is the last page
	 */
	public Optional<String> next() {
		return Optional.ofNullable(this.cursor);
	}

}
