package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import io.locket.queue.redis.format.FieldWriter;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of the runs that {@code turn.lua} ends, as that script describes its arguments.
 */
final class PlainEnds {

	/**
	 * Number of characters of a digest in the field of a ticket, which are its last ones.
	 */
	private static final int TICKET = 32;

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
		List<PlainRun> runs = groups.stream().flatMap(List::stream).toList();
		arguments.add(summary(groups, runs.size()));
		runs.forEach((run) -> arguments.add(run.id()));
		runs.forEach((run) -> arguments.add((run.lockDigest() != null) ? this.lockPrefix + run.lockDigest() : ""));
		if (runs.stream().anyMatch((run) -> run.ticketDigest() != null)) {
			runs.forEach((run) -> arguments.add(ticket(run.ticketDigest())));
		}
	}

	/**
	 * Returns the runs whose records have the same beginning, sorted by queue.
	 */
	private static List<List<PlainRun>> groups(List<PlainTurn> turns) {
		List<List<PlainRun>> groups = new ArrayList<>(turns.size());
		for (PlainTurn turn : turns) {
			for (PlainRun run : turn.ends()) {
				group(run, groups).add(run);
			}
		}
		groups.forEach((group) -> {
			String queue = group.get(0).queue();
			if (!group.stream().allMatch((run) -> run.queue().equals(queue))) {
				group.sort(Comparator.comparing(PlainRun::queue));
			}
		});
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

	private static String ticket(@Nullable String digest) {
		return (digest != null) ? digest.substring(digest.length() - TICKET) : "";
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
		List<List<PlainRun>> queues = new ArrayList<>();
		String last = null;
		for (PlainRun run : sorted) {
			if (!Objects.equals(run.queue(), last)) {
				queues.add(new ArrayList<>());
			}
			last = run.queue();
			queues.get(queues.size() - 1).add(run);
		}
		bytes.number(2, queues.size());
		for (List<PlainRun> queue : queues) {
			bytes.text(1, queue.get(0).queue());
			bytes.number(2, queue.size());
			bytes.number(6, queue.stream().mapToLong(PlainRun::enqueuedAt).min().orElse(0));
		}
	}

}
