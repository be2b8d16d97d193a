package io.locket.event;

import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells listeners of events, and keeps their failures away from the engine.
 */
public final class JobEventPublisher {

	private static final Log logger = LogFactory.getLog(JobEventPublisher.class);

	private final List<JobEventListener> listeners;

	/**
	 * Create a publisher.
	 * @param listeners whom to tell, in this order
	 */
	public JobEventPublisher(List<? extends JobEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tell every listener.
	 * @param event what happened
	 */
	public void publish(JobEvent event) {
		for (JobEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (RuntimeException | LinkageError ex) {
				logger.warn("A JobEventListener failed on " + event + "; the job is not affected: " + listener, ex);
			}
		}
	}

}
