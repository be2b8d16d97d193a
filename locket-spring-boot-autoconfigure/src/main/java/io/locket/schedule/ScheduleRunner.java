package io.locket.schedule;

import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.event.JobEventPublisher;
import io.locket.job.JobTemplate;
import io.locket.lease.Lease;
import io.locket.queue.NewJob;

/**
 * The leader's duty: it writes the schedules that this process is configured with, and
 * fires all schedules when their times have come, by the clock of the store.
 */
public final class ScheduleRunner implements LeaderDuty {

	private final ScheduleStore store;

	private final BiFunction<JobTemplate, String, NewJob> jobs;

	private final LeaderConfiguration configuration;

	private final FiringSettings settings;

	private final FiringReports reports;

	private final LongSupplier nanoTime;

	/**
	 * Create a duty.
	 * @param store where the schedules are
	 * @param jobs makes a job of a template and an id; what it throws is a failure of the
	 * schedule
	 * @param configured the schedules that this process is configured with, asked for
	 * when it leads
	 * @param settings how to fire
	 * @param events is told of firings
	 * @param nanoTime the monotonic clock
	 */
	public ScheduleRunner(ScheduleStore store, BiFunction<JobTemplate, String, NewJob> jobs,
			Supplier<? extends Collection<ScheduleDefinition>> configured, FiringSettings settings,
			JobEventPublisher events, LongSupplier nanoTime) {
		this.store = store;
		this.jobs = jobs;
		this.configuration = new LeaderConfiguration(settings.group(), configured);
		this.settings = settings;
		this.reports = new FiringReports(events, settings.misfireAfter(), nanoTime);
		this.nanoTime = nanoTime;
	}

	@Override
	public Term begin(Lease lease) {
		return new ScheduleTerm(lease, this.store, this.configuration,
				(agenda, now) -> new FiringRound(agenda, now, this.settings.rules(), this.jobs, this.reports),
				this.settings, this.nanoTime);
	}

}
