package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;

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
	 * Splits ends into those whose runs {@code turn.lua} can end, and others.
	 * @param ends the ends
	 * @return the ends
	 */
	public synchronized SplitEnds split(List<RunEnd> ends) {
		List<RunEnd> plain = new ArrayList<>(ends.size());
		List<PlainRun> runs = new ArrayList<>(ends.size());
		List<RunEnd> others = new ArrayList<>();
		Set<String> tokens = new HashSet<>();
		for (RunEnd end : ends) {
			PlainRun run = (isPlain(end) && runs.size() < MOST_ENDS) ? this.byToken.get(end.token()) : null;
			if (run != null && run.id().equals(end.id()) && tokens.add(end.token())) {
				plain.add(end);
				runs.add(run);
			}
			else {
				others.add(end);
			}
		}
		return new SplitEnds(plain, runs, others);
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
