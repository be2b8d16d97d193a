package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.locket.queue.redis.format.BinaryReply;
import org.jspecify.annotations.Nullable;

/**
 * Reply of {@code turn.lua} or {@code handover.lua} to one turn.
 *
 * @param isCutShort whether another call may find more to do
 * @param next the time until something is due, or {@code null} if nothing is
 * @param time the time of the reply, in ms by the clock of Redis
 * @param idle the names of the queues without further jobs
 * @param jobs the id and the record of each job that is handed out
 * @param events the events of the call, as {@code handover.lua} writes them. Only the
 * first turn of a call has any
 */
public record TurnReply(boolean isCutShort, @Nullable Duration next, long time, Set<String> idle, BinaryReply jobs,
		BinaryReply events) {

	/**
	 * Reply to a turn for which nothing was done.
	 */
	public static final TurnReply NOTHING = new TurnReply(false, null, 0, Set.of(), BinaryReply.EMPTY,
			BinaryReply.EMPTY);

	private static final int QUEUES_AT = 4;

	/**
	 * Returns whether nothing was done for the turn.
	 * @return {@code true} if another script has to serve it
	 */
	public boolean isNothing() {
		return this == NOTHING;
	}

	/**
	 * Reads the reply of {@code turn.lua} to some turns.
	 * @param reply the reply
	 * @param turns the turns
	 * @return the reply to each turn, in their order
	 */
	public static List<TurnReply> read(BinaryReply reply, List<PlainTurn> turns) {
		return read(reply, BinaryReply.EMPTY, turns);
	}

	/**
	 * Reads the reply of {@code handover.lua} to some turns.
	 * @param reply the reply
	 * @param turns the turns
	 * @return the reply to each turn, in their order
	 */
	public static List<TurnReply> readWithEvents(BinaryReply reply, List<PlainTurn> turns) {
		return (reply.size() == 0) ? read(reply, turns) : read(reply.reply(0), reply.reply(1), turns);
	}

	private static List<TurnReply> read(BinaryReply reply, BinaryReply events, List<PlainTurn> turns) {
		if (reply.size() == 0) {
			return turns.stream().map((turn) -> NOTHING).toList();
		}
		long next = reply.number(1);
		Duration due = (next >= 0) ? Duration.ofMillis(next) : null;
		int at = QUEUES_AT + (int) reply.number(QUEUES_AT - 1);
		Set<String> idle = new LinkedHashSet<>();
		for (int i = QUEUES_AT; i < at; i++) {
			idle.add(reply.text(i));
		}
		List<TurnReply> replies = new ArrayList<>(turns.size());
		for (PlainTurn turn : turns) {
			int to = Math.min(at + 2 * turn.slots(), reply.size());
			replies.add(new TurnReply(reply.number(0) == 1, due, reply.number(2), idle, reply.part(at, to),
					replies.isEmpty() ? events : BinaryReply.EMPTY));
			at = to;
		}
		return replies;
	}

}
