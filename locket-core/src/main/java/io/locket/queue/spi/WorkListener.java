package io.locket.queue.spi;

import org.jspecify.annotations.Nullable;

/**
 * Listener for new work in the queues. Implementations must not block.
 */
@FunctionalInterface
public interface WorkListener {

	/**
	 * Called when a queue has a ready job, or one that is due earlier than all others. A
	 * store need not call it for a job that becomes ready behind others, because workers
	 * take jobs until a queue has none.
	 * @param queue the name of the queue, or {@code null} for any queue, because
	 * notifications may have been missed, or workers were quieted or resumed
	 */
	void onWork(@Nullable String queue);

}
