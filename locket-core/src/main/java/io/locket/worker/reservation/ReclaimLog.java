package io.locket.worker.reservation;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.JobReclaimed;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Listener that logs reclaimed jobs in the process that has detected the expired lease.
 */
public final class ReclaimLog implements JobEventListener {

	private static final Log logger = LogFactory.getLog(ReclaimLog.class);

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof JobReclaimed reclaimed) {
			logger.info("Job " + reclaimed.job() + " (" + reclaimed.id() + ") is back in its place in queue "
					+ reclaimed.queue()
					+ ": the lease of its run has expired, so its worker died or was disconnected (reclaim "
					+ reclaimed.reclaims() + ")");
		}
	}

}
