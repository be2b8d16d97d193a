package io.locket.event;

import java.util.List;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.function.SingletonSupplier;

/**
 * Tells listeners of events, and keeps their failures away from the engine.
 */
public final class JobEventPublisher {

	private static final Log logger = LogFactory.getLog(JobEventPublisher.class);

	private final Supplier<List<JobEventListener>> listeners;

	private final QuietWarnings warnings = new QuietWarnings(logger, System::nanoTime);

	/**
	 * Create a publisher.
	 * @param listeners whom to tell, in this order
	 */
	public JobEventPublisher(List<? extends JobEventListener> listeners) {
		List<JobEventListener> copy = List.copyOf(listeners);
		this.listeners = () -> copy;
	}

	/**
	 * Create a publisher that asks for its listeners when it first has something to tell,
	 * so that a listener may itself depend on what publishes.
	 * @param listeners whom to tell, in this order
	 */
	public JobEventPublisher(Supplier<List<JobEventListener>> listeners) {
		this.listeners = SingletonSupplier.of(listeners);
	}

	/**
	 * Tell every listener.
	 * @param event what happened
	 */
	public void publish(JobEvent event) {
		for (JobEventListener listener : listeners(event)) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Whatever a listener throws, a lease must not suffer for it.
				String type = listener.getClass().getName();
				this.warnings.warn(type, "A JobEventListener failed on a " + event.getClass().getSimpleName()
						+ "; the job is not affected. Mend it: " + type, ex);
			}
		}
	}

	private List<JobEventListener> listeners(JobEvent event) {
		try {
			return this.listeners.get();
		}
		catch (Throwable ex) {
			logger.warn("The JobEventListeners are not there yet: nobody hears of " + event
					+ ". Let no bean use jobs before the context has started", ex);
			return List.of();
		}
	}

}
