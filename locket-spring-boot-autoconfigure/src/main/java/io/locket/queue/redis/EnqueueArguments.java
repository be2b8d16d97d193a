package io.locket.queue.redis;

import java.util.List;

import io.locket.queue.NewJob;

/**
 * Writes what scripts expect that bring jobs into a queue, as {@code enqueue.lua} tells.
 */
final class EnqueueArguments {

	/**
	 * How long the id of a replacement stays known, in milliseconds. Nobody repeats a
	 * call later.
	 */
	static final String KNOWN_FOR = "600000";

	private EnqueueArguments() {
	}

	static List<String> of(NewJob job, RecordFormat format) {
		return List.of(job.id(), format.head(job), job.arguments(), format.options(job));
	}

}
