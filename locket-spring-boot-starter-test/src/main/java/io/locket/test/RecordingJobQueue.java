package io.locket.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.locket.event.JobEventPublisher;
import io.locket.job.UniqueJobs;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobSighting;
import io.locket.queue.NewJob;
import io.locket.queue.SteerAction;
import io.locket.queue.SteerResult;
import io.locket.queue.memory.InMemoryJobQueue;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a test: it is in memory, and remembers what was to be enqueued.
 * Thread-safe.
 */
public final class RecordingJobQueue extends InMemoryJobQueue {

	private final List<EnqueuedJob> enqueued = new CopyOnWriteArrayList<>();

	private final Clock clock;

	private final ArgumentCodec codec;

	private final Supplier<UniqueJobs> jobs;

	private final Supplier<LocketTester> tester;

	/**
	 * Create a queue that is empty.
	 * @param space tells the time, and who has which key
	 * @param maxReclaims every so many reclaims of a job are a failed attempt, {@code 0}
	 * for none
	 * @param events is told of what happens
	 * @param clock the clock of the lock space
	 * @param codec reads arguments
	 * @param jobs tells the methods of jobs, asked for when it is needed
	 * @param tester is told of what was enqueued, asked for when it is needed
	 */
	public RecordingJobQueue(LockSpace space, int maxReclaims, JobEventPublisher events, Clock clock,
			ArgumentCodec codec, Supplier<UniqueJobs> jobs, Supplier<LocketTester> tester) {
		super(space, maxReclaims, events);
		this.clock = clock;
		this.codec = codec;
		this.jobs = jobs;
		this.tester = tester;
	}

	/**
	 * Enqueue jobs. Where each runs at once, one that fails does not keep those behind it
	 * from running.
	 */
	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		Failures failures = new Failures();
		for (NewJob job : jobs) {
			EnqueueResult result = super.enqueue(List.of(job)).get(0);
			this.enqueued.add(enqueued(job, result));
			results.add(result);
			failures.collect(() -> this.tester.get().onEnqueued(job, result));
		}
		failures.raise();
		return results;
	}

	private EnqueuedJob enqueued(NewJob job, EnqueueResult result) {
		Instant now = this.clock.instant();
		Instant at = Objects.requireNonNullElse(job.start().at(), now);
		Duration delay = Objects.requireNonNullElse(job.start().delay(), Duration.between(now, at));
		return new EnqueuedJob(job.id(), job.job(), arguments(job), job.queue(), now.plus(delay),
				delay.isNegative() ? Duration.ZERO : delay, result, job.arguments());
	}

	/**
	 * Arguments of a job that nobody here has declared are read as what JSON has.
	 */
	private List<@Nullable Object> arguments(NewJob job) {
		return this.jobs.get()
			.known(job.job())
			.map((known) -> Collections
				.unmodifiableList(Arrays.asList(this.codec.read(known.method(), job.arguments()))))
			.orElseGet(() -> untyped(job.arguments()));
	}

	private List<@Nullable Object> untyped(String json) {
		Object[] all = (Object[]) Objects.requireNonNull(this.codec.read(List.of(Object[].class), "[" + json + "]")[0]);
		return Collections.unmodifiableList(Arrays.asList(all));
	}

	List<EnqueuedJob> enqueued() {
		return List.copyOf(this.enqueued);
	}

	void forgetEnqueued() {
		this.enqueued.clear();
	}

	/**
	 * A body that runs is told at once, and not by the next heartbeat.
	 */
	@Override
	public CancelResult cancel(String id) {
		CancelResult result = super.cancel(id);
		this.tester.get().beat();
		return result;
	}

	@Override
	public List<SteerResult> steer(SteerAction action, List<JobSighting> jobs) {
		List<SteerResult> results = super.steer(action, jobs);
		this.tester.get().beat();
		return results;
	}

	@Override
	public long remove(String queue) {
		long removed = super.remove(queue);
		this.tester.get().beat();
		return removed;
	}

}
