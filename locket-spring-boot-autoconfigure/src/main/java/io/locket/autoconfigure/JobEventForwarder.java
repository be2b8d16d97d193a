package io.locket.autoconfigure;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.ReservationCompleted;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.ResolvableType;

/**
 * Listener that publishes events of leases, calls, queued jobs, leaders and schedules as
 * application events. Events after the context has closed have no listeners.
 */
class JobEventForwarder implements JobEventListener {

	private static final Log logger = LogFactory.getLog(JobEventForwarder.class);

	/**
	 * Types of the application events by the types of their events, {@code NONE} for an
	 * event that is not published. Spring would resolve a type for each event.
	 */
	private final Map<Class<?>, ResolvableType> types = new ConcurrentHashMap<>();

	private final ApplicationEventPublisher publisher;

	JobEventForwarder(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onEvent(JobEvent event) {
		ResolvableType type = typeOf(event);
		if (type == ResolvableType.NONE) {
			return;
		}
		try {
			this.publisher.publishEvent(new Forwarded(this.publisher, event, type));
		}
		catch (BeanCreationNotAllowedException ex) {
			logger.debug("The context is closed. Not published as an application event: " + event, ex);
		}
	}

	private ResolvableType typeOf(JobEvent event) {
		ResolvableType known = this.types.get(event.getClass());
		return (known != null) ? known
				: this.types
					.computeIfAbsent(event.getClass(),
							(type) -> isPublished(event) ? ResolvableType
								.forClassWithGenerics(PayloadApplicationEvent.class, ResolvableType.forClass(type))
									: ResolvableType.NONE);
	}

	private static boolean isPublished(JobEvent event) {
		return !(event instanceof HeartbeatCompleted || event instanceof ReservationCompleted);
	}

	/**
	 * An application event with a resolved type.
	 */
	private static final class Forwarded extends PayloadApplicationEvent<JobEvent> {

		private final ResolvableType type;

		Forwarded(Object source, JobEvent event, ResolvableType type) {
			super(source, event, type.getGeneric());
			this.type = type;
		}

		@Override
		public ResolvableType getResolvableType() {
			return this.type;
		}

	}

}
