package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.locket.queue.redis.format.FieldWriter;

/**
 * Encoder of the runs that {@code turn.lua} ends, as that script describes its arguments.
 */
final class PlainEnds {

	private final String lockPrefix;

	PlainEnds(String registryKey) {
		this.lockPrefix = registryKey + ":";
	}

	/**
	 * Adds the arguments of the runs that some turns end.
	 * @param turns the turns
	 * @param arguments the list that receives the arguments
	 */
	void add(List<PlainTurn> turns, List<Object> arguments) {
		List<List<PlainRun>> groups = groups(turns);
		if (groups.isEmpty()) {
			arguments.add("");
			return;
		}
		List<PlainRun> runs = new ArrayList<>();
		boolean tickets = false;
		for (List<PlainRun> group : groups) {
			for (PlainRun run : group) {
				runs.add(run);
				tickets |= run.ticketDigest() != null;
			}
		}
		arguments.add(summary(groups, runs.size()));
		for (PlainRun run : runs) {
			arguments.add(run.id());
		}
		for (PlainRun run : runs) {
			arguments.add((run.lockDigest() != null) ? this.lockPrefix + run.lockDigest() : "");
		}
		for (PlainRun run : tickets ? runs : List.<PlainRun>of()) {
			arguments.add((run.ticketDigest() != null) ? run.ticketDigest() : "");
		}
	}

	/**
	 * Returns the runs whose records have the same beginning, sorted by queue and minimum
	 * hold.
	 */
	private static List<List<PlainRun>> groups(List<PlainTurn> turns) {
		List<List<PlainRun>> groups = new ArrayList<>(turns.size());
		for (PlainTurn turn : turns) {
			for (PlainRun run : turn.ends()) {
				group(run, groups).add(run);
			}
		}
		for (List<PlainRun> group : groups) {
			if (countQueues(group) > 1) {
				group.sort(Comparator.comparing(PlainRun::queue).thenComparing(PlainRun::hold));
			}
		}
		return groups;
	}

	private static List<PlainRun> group(PlainRun run, List<List<PlainRun>> groups) {
		for (int i = groups.size() - 1; i >= 0; i--) {
			if (run.isLike(groups.get(i).get(0))) {
				return groups.get(i);
			}
		}
		List<PlainRun> group = new ArrayList<>();
		groups.add(group);
		return group;
	}

	private static byte[] summary(List<List<PlainRun>> groups, int runs) {
		FieldWriter bytes = new FieldWriter(16 + 192 * groups.size());
		bytes.number(2, groups.size());
		bytes.number(2, runs);
		for (List<PlainRun> group : groups) {
			bytes.bytes(2, group.get(0).begin());
			bytes.text(2, group.get(0).nonce());
			addQueues(group, bytes);
		}
		return bytes.bytes();
	}

	private static void addQueues(List<PlainRun> sorted, FieldWriter bytes) {
		bytes.number(2, countQueues(sorted));
		for (int from = 0, to = 0; from < sorted.size(); from = to) {
			PlainRun first = sorted.get(from);
			long oldest = Long.MAX_VALUE;
			while (to < sorted.size() && sorted.get(to).isOfSameQueue(first)) {
				oldest = Math.min(oldest, sorted.get(to).enqueuedAt());
				to++;
			}
			bytes.text(1, first.queue());
			bytes.number(2, to - from);
			bytes.number(6, oldest);
			bytes.number(5, first.hold());
		}
	}

	/**
	 * Returns the number of runs that are the first ones, or follow a run of another
	 * queue or with another minimum hold.
	 */
	private static int countQueues(List<PlainRun> runs) {
		int count = 1;
		for (int i = 1; i < runs.size(); i++) {
			count += runs.get(i).isOfSameQueue(runs.get(i - 1)) ? 0 : 1;
		}
		return count;
	}

}
