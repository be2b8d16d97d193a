package io.locket.event;

/**
 * Told of every event. A bean of this type is found by itself. Called on the thread on
 * which the event happened, which may be one of Locket's own: it must be thread-safe and
 * must not block. What it throws is logged and goes no further.
 */
@FunctionalInterface
public interface JobEventListener {

	/**
	 * Something happened.
	 * @param event the event
	 */
	void onEvent(JobEvent event);

}
