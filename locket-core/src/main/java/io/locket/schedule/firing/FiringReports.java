package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

import io.locket.event.ScheduleFailed;
import io.locket.event.ScheduleFired;
import io.locket.event.ScheduleMissed;
import io.locket.event.publish.JobEventPublisher;
import io.locket.log.QuietWarnings;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringResult;
import io.locket.schedule.ScheduleDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Publisher and log of the results of firings. Not thread-safe.
 */
final class FiringReports {

	private static final Log logger = LogFactory.getLog(FiringReports.class);

	private final JobEventPublisher events;

	private final Duration misfireAfter;

	private final QuietWarnings warnings;

	/**
	 * Schedules whose failure was logged, and that have not fired since.
	 */
	private final Set<String> warned = new HashSet<>();

	FiringReports(JobEventPublisher events, Duration misfireAfter, LongSupplier nanoTime) {
		this.events = events;
		this.misfireAfter = misfireAfter;
		this.warnings = new QuietWarnings(logger, nanoTime);
	}

	void fired(Firing firing, FiringResult.Fired fired, Instant now) {
		Duration late = Duration.between(firing.time(), now);
		ScheduleFired event = new ScheduleFired(firing.schedule(), firing.job().job(), firing.time(), late,
				late.compareTo(this.misfireAfter) > 0, firing.job().id(),
				fired.result() instanceof EnqueueResult.Duplicate);
		logger.debug(event);
		this.events.publish(event);
	}

	/**
	 * Logs that a schedule fires again, if its failure was logged. It may have been put
	 * again since.
	 */
	void recovered(PlannedSchedule planned) {
		if (this.warned.remove(planned.name())) {
			logger.info("Schedule '" + planned.name() + "' fires again");
		}
	}

	void missed(PlannedSchedule planned, Instant after, Instant upTo, int count) {
		ScheduleMissed event = new ScheduleMissed(planned.name(), after, upTo, count);
		logger.debug(event);
		this.events.publish(event);
	}

	/**
	 * Reports that no job could be created.
	 */
	void notMade(PlannedSchedule planned, Instant time, Throwable failure) {
		failed(planned, time, failure, "job '" + planned.definition().job() + "'",
				". Every process that may lead needs the job, with parameters that accept the arguments of the"
						+ " schedule: deploy it, put the schedule again, or set locket.leader.enabled=false here");
	}

	/**
	 * Reports that the store replies to other calls, but not to this firing.
	 */
	void refused(PlannedSchedule planned, Instant time, Throwable failure) {
		failed(planned, time, failure, "all schedules that the store refuses to fire", "");
	}

	private void failed(PlannedSchedule planned, Instant time, Throwable failure, String subject, String advice) {
		ScheduleDefinition definition = planned.definition();
		this.events.publish(new ScheduleFailed(planned.name(), definition.job(), time, failure.toString()));
		boolean logged = this.warnings.warn(subject,
				"Schedule '" + planned.name() + "' could not enqueue job '" + definition.job() + "' for " + time
						+ "; it is retried within the catch-up time of the schedule, and other schedules continue"
						+ advice + ": " + failure);
		if (logged) {
			this.warned.add(planned.name());
		}
	}

}
