package io.locket.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.locket.JobState;
import io.locket.job.UniqueJobDefinition;
import io.locket.job.UniqueJobs;
import io.locket.job.recording.RecordedCall;
import io.locket.lease.Lease;
import io.locket.lease.RunLease;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.NewJob;
import io.locket.queue.ReservationRequest;
import io.locket.queue.memory.InMemoryQueueDriver;
import io.locket.worker.CallerWorker;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Drives the jobs of a service in a test: what was enqueued runs when the test says so,
 * on the test's thread, by the code of the worker; time passes when the test says so.
 * {@code assertThat(locket)} of AssertJ has assertions about what was enqueued.
 * <p>
 * Before each test method everything is forgotten. One test at a time: tests that share a
 * context must not run in parallel.
 */
public final class LocketTester implements AssertProvider<LocketTesterAssert> {

	private final RecordingJobQueue queue;

	private final InMemoryQueueDriver driver;

	private final CallerWorker worker;

	private final TestClock clock;

	private final UniqueJobs jobs;

	private final ArgumentCodec codec;

	private final QueuePlan plan;

	private final TestLeases leases;

	private final Supplier<@Nullable TestSchedules> schedules;

	private final @Nullable InlineRuns inline;

	private @Nullable List<NewJob> fired;

	/**
	 * Create a driver.
	 * @param queue the queue
	 * @param worker runs its jobs
	 * @param leases takes keys away
	 * @param clock the clock of queue and leases
	 * @param jobs the jobs of the service
	 * @param codec converts arguments
	 * @param queues the queues that the service's own workers would serve, in order
	 * @param schedules fires schedules, asked for when it is needed; gives {@code null}
	 * if there are none
	 * @param mode when jobs run
	 */
	public LocketTester(RecordingJobQueue queue, CallerWorker worker, TestLeases leases, TestClock clock,
			UniqueJobs jobs, ArgumentCodec codec, List<String> queues, Supplier<@Nullable TestSchedules> schedules,
			LocketTestMode mode) {
		this.queue = queue;
		this.driver = new InMemoryQueueDriver(queue);
		this.worker = worker;
		this.clock = clock;
		this.jobs = jobs;
		this.codec = codec;
		this.plan = new QueuePlan(queues, queue);
		this.leases = leases;
		this.schedules = schedules;
		this.inline = (mode == LocketTestMode.INLINE) ? new InlineRuns(queue, this.driver, worker, this.plan) : null;
	}

	/**
	 * Run everything that is ready, and what that enqueues, on this thread. A failed
	 * attempt fails the test, after everything has run.
	 * @param queues the queues to take from, in this order; none for all, those that the
	 * service serves first
	 * @return the runs, in their order
	 * @throws AssertionError if a body has failed
	 * @throws IllegalStateException if jobs keep enqueuing jobs without an end
	 */
	public DrainedJobs drain(String... queues) {
		DrainedJobs drained = drainAllowingFailures(queues);
		drained.requireNoFailure();
		return drained;
	}

	/**
	 * Run everything that is ready, as {@link #drain} does, in a test about failures: a
	 * job whose body fails waits for a retry, or is dead, as in production.
	 * @param queues the queues to take from, in this order; none for all, those that the
	 * service serves first
	 * @return the runs, in their order
	 * @throws IllegalStateException if jobs keep enqueuing jobs without an end
	 */
	public DrainedJobs drainAllowingFailures(String... queues) {
		return new Drain(this.queue, this.worker, this.plan, List.of(queues), this.driver.jobs().size()).run();
	}

	/**
	 * Let time pass. What is due by then is ready afterwards, and does not run. Leases of
	 * bodies that run are renewed, as their heartbeats do it.
	 * @param time how much time passes
	 * @return this
	 * @throws IllegalArgumentException if the time is negative
	 */
	public LocketTester advance(Duration time) {
		Assert.isTrue(!time.isNegative(), () -> "Time does not run back by " + time);
		this.driver.letPass(time, () -> this.clock.advance(time));
		ReservationRequest nothing;
		do {
			nothing = new ReservationRequest(UUID.randomUUID().toString(), "locket-test", "locket-test",
					Thread.currentThread().getName(), List.of(), 0);
		}
		while (this.queue.reserve(nothing).cutShort());
		return this;
	}

	/**
	 * Let time pass, and run what is ready then.
	 * @param time how much time passes
	 * @return the runs, in their order
	 * @throws IllegalArgumentException if the time is negative
	 * @throws AssertionError if a body has failed
	 */
	public DrainedJobs advanceAndDrain(Duration time) {
		return advance(time).drain();
	}

	/**
	 * Let time pass, and fire schedules when their times come, as a leader does that has
	 * begun to lead now. What they enqueue does not run, unless jobs run inline.
	 * @param time how much time passes
	 * @return this
	 * @throws IllegalArgumentException if the time is negative
	 * @throws IllegalStateException if there are no schedules in this context
	 */
	public LocketTester advanceAndFire(Duration time) {
		Assert.isTrue(!time.isNegative(), () -> "Time does not run back by " + time);
		TestSchedules leader = this.schedules.get();
		Assert.state(leader != null, "There are no schedules here: the context has no ScheduleAutoConfiguration");
		List<NewJob> jobs = new ArrayList<>();
		this.fired = jobs;
		try {
			leader.letPass(time, this.clock, (step) -> {
				runFired(jobs);
				advance(step);
			});
			runFired(jobs);
		}
		finally {
			this.fired = null;
		}
		return this;
	}

	/**
	 * Bodies that run inline run after the step of the leader in which they were
	 * enqueued.
	 */
	private void runFired(List<NewJob> jobs) {
		List<NewJob> ready = List.copyOf(jobs);
		jobs.clear();
		if (this.inline != null) {
			this.fired = null;
			ready.forEach(this.inline::run);
			this.fired = jobs;
		}
	}

	/**
	 * Return the clock of queue and leases. It is a bean, too, unless the service has a
	 * {@link java.time.Clock} bean of its own.
	 * @return the clock
	 */
	public TestClock clock() {
		return this.clock;
	}

	/**
	 * Return what was to be enqueued since the test has begun, whatever became of it.
	 * @return the jobs, in their order
	 */
	public List<EnqueuedJob> enqueued() {
		return this.queue.enqueued();
	}

	/**
	 * Return every job of the queue, also those that have ended.
	 * @return the jobs, in the order in which they were accepted
	 */
	public List<JobRecord> jobs() {
		return this.driver.jobs();
	}

	/**
	 * Return the jobs of the queue that are in a state, or have ended in it.
	 * @param state the state
	 * @return the jobs, in the order in which they were accepted
	 */
	public List<JobRecord> jobs(JobState state) {
		return jobs().stream().filter((job) -> job.state() == state).toList();
	}

	/**
	 * Take the key of a call, as if another process ran it, until the lease is closed or
	 * the test ends. The claim of an {@code UNTIL_EXPIRED} job lasts for its period.
	 * @param job the name of the job
	 * @param args the arguments, converted to the types of its parameters
	 * @return the lease of the other process
	 * @throws IllegalArgumentException if there is no such job, if it cannot have such
	 * arguments, or if no run of it takes its key
	 * @throws IllegalStateException if the key is taken
	 */
	public Lease occupy(String job, @Nullable Object... args) {
		UniqueJobDefinition definition = definition(job);
		return this.leases.occupy(definition, this.jobs.keyOf(definition.name(), convert(definition, args)));
	}

	/**
	 * Take the lease away from the job body that calls this, as if this process had not
	 * been able to renew it: the body is told, the outcome of a queued run does not
	 * count, and its job goes back to the queue.
	 * @throws IllegalStateException if no guarded body runs on this thread
	 */
	public void loseLease() {
		this.leases.loseCurrent(this.driver, this.worker.running());
	}

	/**
	 * Take the lease away from a job body that runs, on whichever thread. When this
	 * returns, the body has been told.
	 * @param job the name of the job
	 * @param args the arguments, converted to the types of its parameters; none for all
	 * bodies of the job
	 * @throws IllegalArgumentException if there is no such job, or if it cannot have such
	 * arguments
	 * @throws IllegalStateException if no such body runs, or holds a lease
	 */
	public void loseLease(String job, @Nullable Object... args) {
		UniqueJobDefinition definition = definition(job);
		if (args.length == 0) {
			this.leases.lose(definition.name(), this.driver, this.worker.running(), (record) -> true, (digest) -> true);
			return;
		}
		@Nullable Object[] converted = convert(definition, args);
		String json = this.codec.write(definition.method(), converted);
		String digest = this.jobs.keyOf(definition.name(), converted).digest();
		this.leases.lose(definition.name(), this.driver, this.worker.running(),
				(record) -> this.codec.isSame(record.arguments(), json), digest::equals);
	}

	/**
	 * Forget every job, schedule, lock, pause and enqueue, and set the clock to the time
	 * of the system. Happens before each test method by itself.
	 */
	public void reset() {
		TestSchedules leader = this.schedules.get();
		if (leader != null) {
			leader.clear();
		}
		this.driver.clear();
		this.queue.forgetEnqueued();
		this.clock.reset();
	}

	/**
	 * A job was to be enqueued.
	 */
	void onEnqueued(NewJob job, EnqueueResult result) {
		if (this.inline == null || !(result instanceof EnqueueResult.Accepted)) {
			return;
		}
		List<NewJob> later = this.fired;
		if (later != null) {
			later.add(job);
		}
		else {
			this.inline.run(job);
		}
	}

	/**
	 * Bring the news to bodies that run which their heartbeats would bring.
	 */
	void beat() {
		this.worker.running().forEach(RunLease::renew);
	}

	UniqueJobDefinition definition(String job) {
		return this.jobs.known(job)
			.orElseThrow(() -> new IllegalArgumentException("There is no job '" + job + "'. Known jobs are "
					+ this.jobs.jobs().stream().map(UniqueJobDefinition::name).toList()
					+ ". One that only an interface declares is known when it was enqueued: give its type and a call"));
	}

	UniqueJobDefinition definition(RecordedCall call) {
		return this.jobs.job(call);
	}

	/**
	 * Return what arguments are when a job gets them: neither the order of a map or set
	 * nor the type of a number counts.
	 */
	Predicate<EnqueuedJob> withArguments(UniqueJobDefinition job, @Nullable Object... args) {
		String json = this.codec.write(job.method(), convert(job, args));
		@Nullable Object[] read = this.codec.read(job.method(), json);
		return (enqueued) -> this.codec.isSame(enqueued.json(), json)
				|| Arrays.deepEquals(enqueued.arguments().toArray(), read);
	}

	private @Nullable Object[] convert(UniqueJobDefinition job, @Nullable Object @Nullable [] args) {
		return this.codec.convert(job.method(), Objects.requireNonNull(args,
				"'args' must not be null; one argument that is null is written as (Object) null"));
	}

	@Override
	public LocketTesterAssert assertThat() {
		return new LocketTesterAssert(this);
	}

}
