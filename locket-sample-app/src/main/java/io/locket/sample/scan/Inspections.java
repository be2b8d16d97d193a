package io.locket.sample.scan;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.locket.JobState;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one scan that have not ended. Events report those that end in this replica.
 * The others are polled every second, because they run anywhere in the fleet and return
 * to the queue if their replica dies.
 */
final class Inspections {

	private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

	/**
	 * The maximum time without an end of a job, much longer than a job of a dead replica
	 * takes to run again.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final JobStore store;

	private final EndedInspections ended;

	private final Set<String> pending;

	private long lookedAt = System.nanoTime();

	private long endedAt = System.nanoTime();

	private long failed;

	Inspections(JobStore store, EndedInspections ended, Set<String> ids) {
		this.store = store;
		this.ended = ended;
		this.pending = new HashSet<>(ids);
	}

	/**
	 * Polls the jobs once.
	 * @return whether all have ended
	 * @throws TimeoutException if none has ended for a minute
	 */
	boolean haveEnded() throws TimeoutException {
		int before = this.pending.size();
		this.pending.removeIf((id) -> isOver(this.ended.take(id)));
		long now = System.nanoTime();
		if (now - this.lookedAt >= LOOK_EVERY) {
			this.lookedAt = now;
			this.pending.removeIf((id) -> isOver(stateOf(id)));
		}
		if (this.pending.size() < before) {
			this.endedAt = now;
		}
		else if (now - this.endedAt > PATIENCE.toNanos()) {
			throw new TimeoutException(
					"No inspection has ended for a minute. Those that have not: " + statesOfPending());
		}
		return this.pending.isEmpty();
	}

	private boolean isOver(@Nullable JobState state) {
		if (state == null || !state.isEnded()) {
			return false;
		}
		if (state != JobState.SUCCEEDED) {
			this.failed++;
		}
		return true;
	}

	/**
	 * Returns the state of a job. An unknown job ended long ago.
	 */
	private JobState stateOf(String id) {
		return this.store.find(id).map(JobRecord::state).orElse(JobState.SUCCEEDED);
	}

	private Map<JobState, Integer> statesOfPending() {
		Map<JobState, Integer> states = new TreeMap<>();
		this.pending.forEach((id) -> states.merge(stateOf(id), 1, Integer::sum));
		return states;
	}

	/**
	 * Returns the number of jobs that did not succeed.
	 */
	long failed() {
		return this.failed;
	}

}
