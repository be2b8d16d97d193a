package io.locket.autoconfigure;

import io.locket.event.CallEvent;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeadershipEvent;
import io.locket.event.LeaseEvent;
import io.locket.event.QueueEvent;
import io.locket.event.ScheduleEvent;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events of leases, calls, queued jobs, leaders and schedules as application
 * events. Those that happen while the context is closed have no listeners left.
 */
class JobEventForwarder implements JobEventListener {

	private static final Log logger = LogFactory.getLog(JobEventForwarder.class);

	private final ApplicationEventPublisher publisher;

	JobEventForwarder(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof LeaseEvent || event instanceof CallEvent || event instanceof QueueEvent
				|| event instanceof LeadershipEvent || event instanceof ScheduleEvent) {
			try {
				this.publisher.publishEvent(event);
			}
			catch (BeanCreationNotAllowedException ex) {
				logger.debug("The context is closed: " + event + " is not an application event", ex);
			}
		}
	}

}
