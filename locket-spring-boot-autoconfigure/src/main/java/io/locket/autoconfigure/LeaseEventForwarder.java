package io.locket.autoconfigure;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseEvent;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes lease events as application events. Those that happen while the context is
 * closed have no listeners left.
 */
class LeaseEventForwarder implements JobEventListener {

	private static final Log logger = LogFactory.getLog(LeaseEventForwarder.class);

	private final ApplicationEventPublisher publisher;

	LeaseEventForwarder(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof LeaseEvent) {
			try {
				this.publisher.publishEvent(event);
			}
			catch (BeanCreationNotAllowedException ex) {
				logger.debug("The context is closed: " + event + " is not an application event", ex);
			}
		}
	}

}
