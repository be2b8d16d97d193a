package io.locket.queue.redis;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.locket.queue.redis.event.ScriptEventPublisher;
import io.locket.queue.redis.format.ReplyNumbers;

/**
 * Removal of the jobs of a queue, in steps of {@code remove.lua}. The first step names
 * the last removal of the queue. So a copy of it that is delivered late, after a later
 * removal, removes no jobs.
 *
 * @param commands the commands of the queue
 * @param events publishes the ends of the jobs
 */
record QueueRemoval(QueueCommands commands, ScriptEventPublisher events) {

	/**
	 * Largest number that the JSON library of Redis writes without loss of digits.
	 */
	private static final long LARGEST_ID = 99_999_999_999_999L;

	private static final List<String> PLACES = List.of("scheduled", "retry", "parked", "ready");

	/**
	 * Removes the jobs of a queue.
	 * @param queue the queue
	 * @return the number of waiting jobs removed
	 */
	long remove(String queue) {
		String id = Long.toString(ThreadLocalRandom.current().nextLong(1, LARGEST_ID));
		String startedAt = "";
		String last = "0";
		long removed = 0;
		for (String place : PLACES) {
			String after = "-inf";
			while (!after.isEmpty()) {
				List<Object> reply = this.commands.run("remove " + queue, QueueScript.REMOVE,
						List.of(queue, startedAt, place, after, id, Long.toString(removed), last));
				startedAt = reply.get(0).toString();
				if (startedAt.isEmpty()) {
					last = reply.get(1).toString();
					continue;
				}
				removed = ReplyNumbers.number(reply.get(1));
				after = reply.get(2).toString();
				this.events.publish((List<?>) reply.get(3));
			}
		}
		return removed;
	}

}
