package io.locket.queue.redis;

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

	PlainEnds(QueueKeys keys) {
		this.lockPrefix = keys.registryKey() + ":";
	}

	/**
	 * Adds the arguments of some runs that one call can end.
	 * @param runs the runs
	 * @param arguments the list that receives the arguments
	 */
	void add(List<PlainRun> runs, List<Object> arguments) {
		if (runs.isEmpty()) {
			arguments.add("");
			arguments.add("");
			return;
		}
		List<PlainRun> sorted = byQueue(runs);
		arguments.add(sorted.get(0).begin());
		arguments.add(summary(sorted));
		sorted.forEach((run) -> arguments.add(run.id()));
		sorted.forEach((run) -> arguments.add((run.lockDigest() != null) ? this.lockPrefix + run.lockDigest() : ""));
		if (sorted.stream().anyMatch((run) -> run.ticketDigest() != null)) {
			sorted.forEach((run) -> arguments.add(ticket(run.ticketDigest())));
		}
	}

	private static String ticket(@Nullable String digest) {
		return (digest != null) ? digest.substring(digest.length() - TICKET) : "";
	}

	private static List<PlainRun> byQueue(List<PlainRun> runs) {
		String queue = runs.get(0).queue();
		if (runs.stream().allMatch((run) -> run.queue().equals(queue))) {
			return runs;
		}
		List<PlainRun> sorted = new ArrayList<>(runs);
		sorted.sort(Comparator.comparing(PlainRun::queue));
		return sorted;
	}

	private static byte[] summary(List<PlainRun> sorted) {
		List<List<PlainRun>> queues = new ArrayList<>();
		String last = null;
		for (PlainRun run : sorted) {
			if (!Objects.equals(run.queue(), last)) {
				queues.add(new ArrayList<>());
			}
			last = run.queue();
			queues.get(queues.size() - 1).add(run);
		}
		FieldWriter bytes = new FieldWriter(64);
		bytes.text(2, sorted.get(0).nonce());
		bytes.number(2, sorted.size());
		bytes.number(2, queues.size());
		for (List<PlainRun> queue : queues) {
			bytes.text(1, queue.get(0).queue());
			bytes.number(2, queue.size());
			bytes.number(6, queue.stream().mapToLong(PlainRun::enqueuedAt).min().orElse(0));
		}
		return bytes.bytes();
	}

}
