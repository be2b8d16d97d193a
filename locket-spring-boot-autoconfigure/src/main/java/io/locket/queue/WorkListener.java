package io.locket.queue;

import org.jspecify.annotations.Nullable;

/**
 * Is told that there may be something to do. Must not block.
 */
@FunctionalInterface
public interface WorkListener {

	/**
	 * A queue has got a job that is ready, or due earlier than all before.
	 * @param queue the name of the queue, or {@code null} if it may be any, since news
	 * may have been missed
	 */
	void onWork(@Nullable String queue);

}
