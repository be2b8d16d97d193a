package io.locket.event;

/**
 * Listener for all events. Beans of this type are detected automatically. A listener is
 * called on the thread on which the event happened, which may be one of Locket's own. It
 * must be thread-safe and must not block. Its exceptions are logged and not propagated.
 */
@FunctionalInterface
public interface JobEventListener {

	/**
	 * Handles an event.
	 * @param event the event
	 */
	void onEvent(JobEvent event);

}
