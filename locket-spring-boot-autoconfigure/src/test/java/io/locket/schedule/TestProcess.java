package io.locket.schedule;

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
import io.locket.event.JobEventPublisher;
import io.locket.event.ScheduleFired;
import io.locket.job.JobTemplate;
import io.locket.queue.NewJob;
import io.locket.queue.TestJob;
import org.jspecify.annotations.Nullable;

/**
 * A process that leads, or believes so, and is driven by hand.
 */
final class TestProcess {

	static final FiringSettings SETTINGS = new FiringSettings(TestSchedule.GROUP, Duration.ofMinutes(3),
			Duration.ofSeconds(5));

	private final List<JobEvent> events = new ArrayList<>();

	private final Map<String, Throwable> broken = new HashMap<>();

	private final List<ScheduleDefinition> configured = new ArrayList<>();

	private final ScheduleRunner runner;

	private @Nullable Runnable whenMade;

	private boolean unique;

	private TestLease lease;

	private LeaderDuty.Term term;

	/**
	 * Create a process.
	 * @param store where it looks for schedules
	 * @param nanoTime its monotonic clock
	 * @param leader the lease that it believes to hold
	 */
	TestProcess(ScheduleStore store, LongSupplier nanoTime, LeaseProof leader) {
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
	 * Configure the process. It writes what it is configured with when its term begins.
	 */
	TestProcess configured(ScheduleDefinition... definitions) {
		this.configured.clear();
		this.configured.addAll(List.of(definitions));
		return this;
	}

	/**
	 * Let all jobs have the same key.
	 */
	TestProcess unique() {
		this.unique = true;
		return this;
	}

	/**
	 * Do something whenever a job is made.
	 */
	void whenMade(Runnable action) {
		this.whenMade = action;
	}

	/**
	 * Let no job of a name be made, until the failure is {@code null}.
	 */
	void breaks(String job, @Nullable Throwable failure) {
		this.broken.put(job, failure);
	}

	/**
	 * Begin a new term.
	 */
	void lead(LeaseProof leader) {
		this.lease = new TestLease(leader);
		this.term = this.runner.begin(this.lease);
	}

	TestLease lease() {
		return this.lease;
	}

	/**
	 * Do what is due once.
	 */
	Duration step() {
		return this.term.perform();
	}

	/**
	 * Do what is due until there is a rest.
	 */
	Duration run() {
		Duration rest = this.term.perform();
		for (int i = 0; rest.isZero() && this.lease.isHeld(); i++) {
			if (i == 1000) {
				throw new AssertionError("The leader never rests");
			}
			rest = this.term.perform();
		}
		return rest;
	}

	List<JobEvent> events() {
		return this.events;
	}

	<T extends JobEvent> List<T> events(Class<T> type) {
		return this.events.stream().filter(type::isInstance).map(type::cast).toList();
	}

	/**
	 * Return the times at which a schedule has fired.
	 */
	List<Instant> fired(String schedule) {
		return events(ScheduleFired.class).stream()
			.filter((event) -> event.schedule().equals(schedule))
			.map(ScheduleFired::time)
			.toList();
	}

	/**
	 * A clock that moves by hand.
	 */
	static final class HandClock implements LongSupplier {

		private long nanos = -TimeUnit.SECONDS.toNanos(3);

		void advance(Duration time) {
			this.nanos += time.toNanos();
		}

		@Override
		public long getAsLong() {
			return this.nanos;
		}

	}

}
