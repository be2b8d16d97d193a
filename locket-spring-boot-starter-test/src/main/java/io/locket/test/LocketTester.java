package io.locket.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.job.JobEnqueuer;
import io.locket.job.UniqueJobs;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.job.recording.RecordedCall;
import io.locket.lease.Lease;
import io.locket.lease.heartbeat.RunLease;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.memory.InMemoryQueueDriver;
import io.locket.queue.spi.NewJob;
import io.locket.worker.InlineWorker;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Driver of the jobs of a service in a test. Enqueued jobs run on request, on the thread
 * of the test, with the code of the worker. Time passes on request.
 * {@code assertThat(locket)} of AssertJ has assertions about enqueued jobs.
 * <p>
 * All state is reset before each test method. Tests that share a context must not run in
 * parallel.
 */
public final class LocketTester implements AssertProvider<LocketTesterAssert> {

	private final RecordingJobQueue queue;

	private final InMemoryQueueDriver driver;

	private final InlineWorker worker;

	private final TestClock clock;

	private final UniqueJobs jobs;

	private final ArgumentCodec codec;

	private final TestArguments arguments;

	private final QueuePlan plan;

	private final TestLeases leases;

	private final Supplier<@Nullable TestSchedules> schedules;

	private final @Nullable InlineRuns inline;

	/**
	 * Creates a driver.
	 * @param queue the queue
	 * @param worker runs its jobs
	 * @param leases holds and revokes leases
	 * @param clock the clock of queue and leases
	 * @param jobs the jobs of the service
	 * @param codec converts arguments
	 * @param queues the queues that the service's own workers would serve, in order
	 * @param schedules supplies the schedules on first use, or {@code null} if there are
	 * none
	 * @param mode when jobs run
	 */
	public LocketTester(RecordingJobQueue queue, InlineWorker worker, TestLeases leases, TestClock clock,
			UniqueJobs jobs, ArgumentCodec codec, List<String> queues, Supplier<@Nullable TestSchedules> schedules,
			LocketTestMode mode) {
		this.queue = queue;
		this.driver = new InMemoryQueueDriver(queue);
		this.worker = worker;
		this.clock = clock;
		this.jobs = jobs;
		this.codec = codec;
		this.arguments = new TestArguments(codec);
		this.plan = new QueuePlan(queues, queue, jobs);
		this.leases = leases;
		this.schedules = schedules;
		this.inline = (mode == LocketTestMode.INLINE) ? new InlineRuns(queue, this.driver, worker, this.plan) : null;
	}

	/**
	 * Runs all ready jobs, and the jobs that they enqueue, on this thread. After all
	 * runs, a failed attempt fails the test.
	 * @param queues the queues to serve, in this order; none for all, with those that the
	 * service serves first
	 * @return the runs, in their order
	 * @throws AssertionError if a body has failed
	 * @throws IllegalArgumentException if a queue is unknown
	 * @throws IllegalStateException if jobs keep enqueuing jobs without an end
	 */
	public DrainedJobs drain(String... queues) {
		DrainedJobs drained = drainAllowingFailures(queues);
		drained.requireNoFailure();
		return drained;
	}

	/**
	 * Runs all ready jobs, like {@link #drain}, for tests of failures. As in production,
	 * a job whose body fails waits for a retry or becomes a dead letter.
	 * @param queues the queues to serve, in this order; none for all, with those that the
	 * service serves first
	 * @return the runs, in their order
	 * @throws IllegalArgumentException if there is no such queue
	 * @throws IllegalStateException if jobs keep enqueuing jobs without an end
	 */
	public DrainedJobs drainAllowingFailures(String... queues) {
		RunLimit limit = new RunLimit(this.queue, this.driver.jobs().size());
		return new Drain(this.worker, this.driver, this.plan, this.plan.require(queues), limit).run();
	}

	/**
	 * Advances the clock. Jobs that become due are ready afterwards and do not run.
	 * Leases of running bodies are renewed, as by their heartbeats.
	 * @param time the time to advance
	 * @return this
	 * @throws IllegalArgumentException if the time is negative
	 */
	public LocketTester advance(Duration time) {
		Objects.requireNonNull(time, "'time' must not be null");
		Assert.isTrue(!time.isNegative(), () -> "Cannot advance by a negative time: " + time);
		this.driver.letPass(time, () -> this.clock.advance(time));
		this.driver.serveDue();
		return this;
	}

	/**
	 * Advances the clock to a time, as {@link #advance} does.
	 * @param time the time, which may be the current one
	 * @return this
	 * @throws IllegalArgumentException if the time is before that of the clock
	 */
	public LocketTester advanceTo(Instant time) {
		Objects.requireNonNull(time, "'time' must not be null");
		Instant now = this.clock.instant();
		Assert.isTrue(!time.isBefore(now), () -> "The clock cannot be set back from " + now + " to " + time);
		return advance(Duration.between(now, time));
	}

	/**
	 * Advances the clock and runs the jobs that are ready then.
	 * @param time the time to advance
	 * @return the runs, in their order
	 * @throws IllegalArgumentException if the time is negative
	 * @throws AssertionError if a body has failed
	 */
	public DrainedJobs advanceAndDrain(Duration time) {
		return advance(time).drain();
	}

	/**
	 * Advances the clock and fires schedules at their fire times, like a leader whose
	 * term starts now. Their jobs do not run, unless jobs run inline. Then the first
	 * failure of a body is thrown after all firings.
	 * @param time the time to advance
	 * @return this
	 * @throws IllegalArgumentException if the time is negative
	 * @throws IllegalStateException if there are no schedules in this context, if another
	 * leader holds the lease, or if the lease is lost meanwhile
	 */
	public LocketTester advanceAndFire(Duration time) {
		Objects.requireNonNull(time, "'time' must not be null");
		Assert.isTrue(!time.isNegative(), () -> "Cannot advance by a negative time: " + time);
		TestSchedules leader = this.schedules.get();
		Assert.state(leader != null, TestSchedules.MISSING);
		leader.letPass(time, this.clock, this::advance, this::fire);
		return this;
	}

	private void fire(Runnable firing, Failures failures) {
		if (this.inline != null) {
			this.inline.runAfter(firing, failures);
		}
		else {
			firing.run();
		}
	}

	/**
	 * Returns the clock of queue and leases. It is also a bean, unless the service has a
	 * {@link java.time.Clock} bean of its own.
	 * @return the clock
	 */
	public TestClock clock() {
		return this.clock;
	}

	/**
	 * Returns all jobs that have reached the queue since the start of the test, with any
	 * result of the queue. A job that an {@link io.locket.job.EnqueueGuard} refused, or
	 * that waits for the commit of its transaction, has not reached it. A requeued dead
	 * letter is not submitted again.
	 * @return the jobs, in their order
	 */
	public List<EnqueuedJob> enqueued() {
		return this.queue.enqueued();
	}

	/**
	 * Returns the jobs that wait for the commit of the transaction of this thread.
	 * @return the jobs with the result {@code Deferred}, in their order
	 */
	public List<EnqueuedJob> deferred() {
		List<EnqueuedJob> jobs = new ArrayList<>();
		JobEnqueuer.forEachDeferred((job, result) -> jobs.add(this.queue.enqueued(job, result)));
		return List.copyOf(jobs);
	}

	/**
	 * Returns all jobs of the queue, including ended ones.
	 * @return the jobs, in the order in which they were accepted
	 */
	public List<JobRecord> jobs() {
		return this.driver.jobs();
	}

	/**
	 * Returns the jobs of the queue that are in a state or have ended in it.
	 * @param state the state
	 * @return the jobs, in the order in which they were accepted
	 */
	public List<JobRecord> jobs(JobState state) {
		Objects.requireNonNull(state, "'state' must not be null");
		return jobs().stream().filter((job) -> job.state() == state).toList();
	}

	/**
	 * Acquires the key of a call, like a direct call in another process, until the lease
	 * is closed or the test ends. The claim of an {@code UNTIL_EXPIRED} job lasts for its
	 * period.
	 * <p>
	 * A queued run in another process would also have its job in the queue. So an enqueue
	 * is accepted and parked here although it would be a duplicate of that job with
	 * {@code UNTIL_EXECUTED}.
	 * @param job the name of the job
	 * @param args the arguments, converted to the types of its parameters
	 * @return the lease of the other process
	 * @throws IllegalArgumentException if there is no such job, if the arguments do not
	 * fit, or if runs of the job hold no key
	 * @throws IllegalStateException if the key is held
	 */
	public Lease occupy(String job, @Nullable Object... args) {
		UniqueJobDefinition definition = definition(job, "");
		return this.leases.occupy(definition,
				this.jobs.keyOf(definition.name(), this.arguments.convert(definition, args)));
	}

	/**
	 * Revokes the lease of the calling job body, as if this process had failed to renew
	 * it. The body is notified. The outcome of a queued run does not count, and its job
	 * returns to the queue.
	 * @throws IllegalStateException if no guarded body runs on this thread, or if it
	 * holds no lease: a claim is never lost
	 */
	public void loseLease() {
		this.leases.loseCurrent(this.driver, this.worker.running());
	}

	/**
	 * Revokes the lease of a running job body, on any thread. When this method returns,
	 * the body has been notified.
	 * @param job the name of the job
	 * @param args the arguments, converted to the types of its parameters; none for all
	 * bodies of the job
	 * @throws IllegalArgumentException if there is no such job, or if the arguments do
	 * not fit
	 * @throws IllegalStateException if no such body runs and holds a lease
	 */
	public void loseLease(String job, @Nullable Object... args) {
		UniqueJobDefinition definition = definition(job, "");
		if (TestArguments.require(args).length == 0) {
			this.leases.lose(definition.name(), this.driver, this.worker.running(), (record) -> true, (digest) -> true);
			return;
		}
		@Nullable Object[] converted = this.arguments.convert(definition, args);
		String json = this.codec.write(definition.method(), definition.beanType(), converted);
		// A direct call of a job without a key has no lease.
		String digest = (definition.lock() != LockStrategy.NONE)
				? this.jobs.keyOf(definition.name(), converted).digest() : null;
		this.leases.lose(definition.name(), this.driver, this.worker.running(),
				(record) -> this.codec.isSame(record.arguments(), json), (held) -> held.equals(digest));
	}

	/**
	 * Removes all jobs, schedules, pauses, enqueue records and locks of Locket, and sets
	 * the clock to the system time. Called automatically before each test method.
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
	 * Runs an accepted job if jobs run inline.
	 */
	void onEnqueued(NewJob job, EnqueueResult result) {
		if (this.inline != null && result instanceof EnqueueResult.Accepted) {
			this.inline.run(job);
		}
	}

	/**
	 * Notifies running bodies of changes, as their heartbeats would.
	 */
	void beat() {
		this.worker.running().forEach(RunLease::renew);
	}

	/**
	 * Returns a job.
	 * @param job the name of the job
	 * @param remedy the end of the message if the job is unknown
	 */
	UniqueJobDefinition definition(String job, String remedy) {
		Objects.requireNonNull(job, "'job' must not be null");
		return this.jobs.known(job)
			.orElseThrow(() -> new IllegalArgumentException("There is no job '" + job + "'. Known jobs are "
					+ this.jobs.jobs().stream().map(UniqueJobDefinition::name).toList()
					+ ". A job that only an interface declares is known after it was enqueued" + remedy));
	}

	UniqueJobDefinition definition(RecordedCall call) {
		return this.jobs.job(call);
	}

	Predicate<EnqueuedJob> withArguments(UniqueJobDefinition job, @Nullable Object... args) {
		return this.arguments.same(job, args);
	}

	@Override
	public LocketTesterAssert assertThat() {
		return new LocketTesterAssert(this);
	}

}
