package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.LockStrategy;
import io.locket.event.JobEvent;
import io.locket.event.ScheduleFired;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.JobTemplate;
import io.locket.queue.TestJob;
import io.locket.queue.spi.NewJob;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.TestLease;
import io.locket.schedule.TestSchedule;
import io.locket.schedule.leader.LeaderTask;
import org.jspecify.annotations.Nullable;

/**
 * Process that leads, or believes to lead, driven by a test.
 */
public final class TestProcess {

	public static final FiringSettings SETTINGS = new FiringSettings(TestSchedule.GROUP, Duration.ofMinutes(3),
			Duration.ofSeconds(5));

	private final List<JobEvent> events = new ArrayList<>();

	private final Map<String, Throwable> broken = new HashMap<>();

	private final List<ScheduleDefinition> configured = new ArrayList<>();

	private final ScheduleRunner runner;

	private @Nullable Runnable whenMade;

	private boolean unique;

	private TestLease lease;

	private LeaderTask.Term term;

	/**
	 * Creates a process.
	 * @param store the store of its schedules
	 * @param nanoTime its monotonic clock
	 * @param leader the lease that it believes to hold
	 */
	public TestProcess(ScheduleStore store, LongSupplier nanoTime, LeaseProof leader) {
		this.runner = new ScheduleRunner(store, this::job, () -> this.configured, SETTINGS,
				new JobEventPublisher(List.of(this.events::add)), nanoTime);
		this.lease = new TestLease(leader);
		this.term = this.runner.begin(this.lease);
	}

	private NewJob job(JobTemplate template, String id) {
		if (this.whenMade != null) {
			this.whenMade.run();
		}
		Throwable failure = this.broken.get(template.job());
		if (failure instanceof RuntimeException exception) {
			throw exception;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		TestJob job = TestJob.of(id).arguments(template.arguments());
		return (this.unique ? job.with(LockStrategy.UNTIL_EXECUTED, "k") : job).build();
	}

	/**
	 * Configures the process. It stores its configuration when its term begins.
	 */
	public TestProcess configured(ScheduleDefinition... definitions) {
		this.configured.clear();
		this.configured.addAll(List.of(definitions));
		return this;
	}

	/**
	 * Gives all jobs the same key.
	 */
	public TestProcess unique() {
		this.unique = true;
		return this;
	}

	/**
	 * Sets an action to run whenever a job is created.
	 */
	public void whenMade(Runnable action) {
		this.whenMade = action;
	}

	/**
	 * Makes the creation of jobs of a name fail, until the failure is {@code null}.
	 */
	public void breaks(String job, @Nullable Throwable failure) {
		this.broken.put(job, failure);
	}

	/**
	 * Begins a new term.
	 */
	public void lead(LeaseProof leader) {
		this.lease = new TestLease(leader);
		this.term = this.runner.begin(this.lease);
	}

	public TestLease lease() {
		return this.lease;
	}

	/**
	 * Performs due work once.
	 */
	public Duration step() {
		return this.term.perform();
	}

	/**
	 * Performs due work until there is a pause.
	 */
	public Duration run() {
		Duration rest = this.term.perform();
		for (int i = 0; rest.isZero() && this.lease.isHeld(); i++) {
			if (i == 1000) {
				throw new AssertionError("The leader never rests");
			}
			rest = this.term.perform();
		}
		return rest;
	}

	public List<JobEvent> events() {
		return this.events;
	}

	public <T extends JobEvent> List<T> events(Class<T> type) {
		return this.events.stream().filter(type::isInstance).map(type::cast).toList();
	}

	/**
	 * Returns the times at which a schedule has fired.
	 */
	public List<Instant> fired(String schedule) {
		return events(ScheduleFired.class).stream()
			.filter((event) -> event.schedule().equals(schedule))
			.map(ScheduleFired::time)
			.toList();
	}

	/**
	 * Manually driven clock.
	 */
	public static final class HandClock implements LongSupplier {

		private long nanos = -TimeUnit.SECONDS.toNanos(3);

		public void advance(Duration time) {
			this.nanos += time.toNanos();
		}

		@Override
		public long getAsLong() {
			return this.nanos;
		}

	}

}
