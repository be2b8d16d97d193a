package io.locket.schedule.firing;

import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.event.publish.JobEventPublisher;
import io.locket.job.JobTemplate;
import io.locket.lease.Lease;
import io.locket.queue.spi.NewJob;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.leader.LeaderTask;

/**
 * Leader's task for schedules. It stores the schedules that are configured in this
 * process, and fires all schedules when they are due, by the clock of the store.
 */
public final class ScheduleRunner implements LeaderTask {

	private final ScheduleStore store;

	private final BiFunction<JobTemplate, String, NewJob> jobs;

	private final LeaderConfiguration configuration;

	private final FiringSettings settings;

	private final FiringReports reports;

	private final LongSupplier nanoTime;

	/**
	 * Revision of the store at which the group had no schedule.
	 */
	private volatile long idleRevision;

	/**
	 * Creates a task.
	 * @param store the store of the schedules
	 * @param jobs the factory of jobs from a template and an id; its exceptions are
	 * failures of the schedule
	 * @param configured the supplier of the schedules that are configured in this
	 * process, called when it leads
	 * @param settings the settings
	 * @param events the publisher of firings
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
	public boolean isOwn() {
		return !this.configuration.isEmpty();
	}

	/**
	 * Returns whether the group has a schedule. Schedules are loaded only if the revision
	 * has changed; before the first revision there are none.
	 */
	@Override
	public boolean isNeeded() {
		if (isOwn()) {
			return true;
		}
		long revision = this.store.revision();
		if (revision == this.idleRevision) {
			return false;
		}
		boolean needed = this.store.load()
			.schedules()
			.stream()
			.anyMatch((schedule) -> schedule.definition().group().equals(this.settings.group()));
		if (!needed) {
			this.idleRevision = revision;
		}
		return needed;
	}

	@Override
	public Term begin(Lease lease) {
		return begin(lease, this.nanoTime);
	}

	/**
	 * Returns a task that fires the same schedules by another monotonic clock.
	 * @param nanoTime the monotonic clock of its terms
	 * @return the task
	 */
	public LeaderTask withNanoTime(LongSupplier nanoTime) {
		return (lease) -> begin(lease, nanoTime);
	}

	private Term begin(Lease lease, LongSupplier nanoTime) {
		return new LeaderTerm(lease, this.store, this.configuration,
				(queue, now) -> new FiringBatch(queue, now, this.settings.rules(), this.jobs, this.reports),
				this.settings, nanoTime);
	}

}
