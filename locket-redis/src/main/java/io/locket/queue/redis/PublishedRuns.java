package io.locket.queue.redis;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Most recent runs whose start, or whose end, this process has published. Thread-safe.
 */
final class PublishedRuns {

	/**
	 * Maximum number of runs. A few are enough because a call is repeated soon or never.
	 */
	static final int REMEMBERED = 4096;

	private final Set<String> latest = new LinkedHashSet<>();

	/**
	 * Adds a run.
	 * @param token the token of the run
	 * @return {@code false} if it was added before
	 */
	synchronized boolean add(String token) {
		if (!this.latest.add(token)) {
			return false;
		}
		if (this.latest.size() > REMEMBERED) {
			Iterator<String> oldest = this.latest.iterator();
			oldest.next();
			oldest.remove();
		}
		return true;
	}

}
