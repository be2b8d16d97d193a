package io.locket.event.publish;

import java.util.List;
import java.util.function.Supplier;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.log.QuietWarnings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.function.SingletonSupplier;

/**
 * Publisher that passes events to listeners and keeps their failures away from the
 * engine.
 */
public final class JobEventPublisher {

	private static final Log logger = LogFactory.getLog(JobEventPublisher.class);

	private static final JobEventListener[] NONE = {};

	/**
	 * An array, because a loop over a list checks the type of each listener.
	 */
	private final Supplier<JobEventListener[]> listeners;

	private final QuietWarnings warnings = new QuietWarnings(logger, System::nanoTime);

	/**
	 * Creates a publisher.
	 * @param listeners the listeners, in the order in which they are notified
	 */
	public JobEventPublisher(List<? extends JobEventListener> listeners) {
		JobEventListener[] copy = List.copyOf(listeners).toArray(NONE);
		this.listeners = () -> copy;
	}

	/**
	 * Creates a publisher that resolves its listeners at the first event, so that a
	 * listener may itself depend on the publishing beans.
	 * @param listeners the listeners, in the order in which they are notified
	 */
	public JobEventPublisher(Supplier<List<JobEventListener>> listeners) {
		this.listeners = SingletonSupplier.of(() -> List.copyOf(listeners.get()).toArray(NONE));
	}

	/**
	 * Notifies every listener.
	 * @param event the event
	 */
	public void publish(JobEvent event) {
		for (JobEventListener listener : listeners(event)) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// A failure of a listener, of any type, must not affect a lease.
				String type = listener.getClass().getName();
				this.warnings.warn(type, "JobEventListener " + type + " failed on a " + event.getClass().getSimpleName()
						+ ". The job is not affected. Fix the listener", ex);
			}
		}
	}

	private JobEventListener[] listeners(JobEvent event) {
		try {
			return this.listeners.get();
		}
		catch (Throwable ex) {
			logger.warn("JobEventListeners are not available yet, so " + event
					+ " was not published. Do not use jobs before the context has started", ex);
			return NONE;
		}
	}

}
