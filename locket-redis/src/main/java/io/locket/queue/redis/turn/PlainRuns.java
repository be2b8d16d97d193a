package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;
import org.jspecify.annotations.Nullable;

/**
 * Runs of this process that {@code turn.lua} or {@code handover.lua} can end, until they
 * have ended. The oldest ones are forgotten first; {@code settle.lua} then ends them.
 * Thread-safe.
 */
public final class PlainRuns {

	/**
	 * Maximum number of runs.
	 */
	static final int REMEMBERED = 8192;

	/**
	 * Maximum number of runs that one call ends, because Lua limits the number of
	 * arguments of a function.
	 */
	private static final int MOST_ENDS = 1000;

	private final Map<String, PlainRun> byToken = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, PlainRun> eldest) {
			return size() > REMEMBERED;
		}

	};

	public synchronized void add(PlainRun run) {
		this.byToken.put(run.token(), run);
	}

	/**
	 * Returns the runs of the given ends, or {@code null} if one call of {@code turn.lua}
	 * cannot end all of them.
	 * @param ends the ends
	 * @return the runs in the order of the ends, or {@code null}
	 */
	public synchronized @Nullable List<PlainRun> find(List<RunEnd> ends) {
		if (ends.size() > MOST_ENDS) {
			return null;
		}
		List<PlainRun> found = new ArrayList<>(ends.size());
		Set<String> tokens = new HashSet<>();
		for (RunEnd end : ends) {
			PlainRun run = isPlain(end) ? this.byToken.get(end.token()) : null;
			if (run == null || !run.id().equals(end.id()) || !tokens.add(end.token())
					|| (!found.isEmpty() && !run.isLike(found.get(0)))) {
				return null;
			}
			found.add(run);
		}
		return found;
	}

	/**
	 * Returns whether a run has succeeded without an error text or progress to store.
	 */
	private static boolean isPlain(RunEnd end) {
		return end.kind() == RunEnd.Kind.SUCCEEDED && end.error() == null && end.progress() == null;
	}

	public synchronized void remove(List<RunEnd> ends) {
		ends.forEach((end) -> this.byToken.remove(end.token()));
	}

	/**
	 * Removes a run whose record has changed since its job was handed out.
	 * @param run the run
	 */
	public synchronized void changed(RunToken run) {
		this.byToken.remove(run.token());
	}

}
