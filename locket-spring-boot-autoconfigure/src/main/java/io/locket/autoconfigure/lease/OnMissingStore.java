package io.locket.autoconfigure.lease;

import io.locket.lease.LeaseService;
import io.locket.queue.spi.JobQueue;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/**
 * Condition that matches if there is no lease service, or no queue.
 */
class OnMissingStore extends AnyNestedCondition {

	OnMissingStore() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnMissingBean(LeaseService.class)
	static class OnMissingLeases {

	}

	@ConditionalOnMissingBean(JobQueue.class)
	static class OnMissingQueue {

	}

}
