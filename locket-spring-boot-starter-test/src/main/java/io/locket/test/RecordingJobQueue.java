package io.locket.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.locket.event.publish.JobEventPublisher;
import io.locket.job.UniqueJobs;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.UpdateResult;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.UpdateAction;
import org.jspecify.annotations.Nullable;

/**
 * The in-memory queue of a test, which records all submitted jobs. Thread-safe.
 */
public final class RecordingJobQueue extends InMemoryJobQueue {

	private final List<EnqueuedJob> enqueued = Collections.synchronizedList(new ArrayList<>());

	private final Clock clock;

	private final ArgumentCodec codec;

	private final Supplier<UniqueJobs> jobs;

	private final Supplier<LocketTester> tester;

	/**
	 * Creates an empty queue.
	 * @param space the clock and the holders of keys
	 * @param maxReclaims the number of reclaims that count as one failed attempt,
	 * {@code 0} if reclaims never count
	 * @param events the publisher of events
	 * @param clock the clock of the lock space
	 * @param codec reads arguments
	 * @param jobs supplies the jobs with their methods, on first use
	 * @param tester supplies the driver that records submitted jobs, on first use
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
	 * Enqueues jobs. If jobs run inline, a failure does not prevent the runs of later
	 * jobs. The first failure is thrown, with later ones suppressed, also with that of a
	 * job that cannot be enqueued.
	 */
	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		Failures failures = new Failures();
		failures.collect(() -> {
			for (NewJob job : jobs) {
				EnqueueResult result = super.enqueue(List.of(job)).get(0);
				this.enqueued.add(enqueued(job, result));
				results.add(result);
				failures.collect(() -> this.tester.get().onEnqueued(job, result));
			}
		});
		failures.raise();
		return results;
	}

	/**
	 * Returns a job as a test sees it.
	 */
	EnqueuedJob enqueued(NewJob job, EnqueueResult result) {
		Instant now = this.clock.instant();
		Instant at = Objects.requireNonNullElse(job.start().at(), now);
		Duration delay = Objects.requireNonNullElse(job.start().delay(), Duration.between(now, at));
		return new EnqueuedJob(job.id(), job.job(), arguments(job), job.queue(), now.plus(delay),
				delay.isNegative() ? Duration.ZERO : delay, result, job.arguments());
	}

	/**
	 * Returns the arguments of a job. Arguments of an undeclared job have the types of
	 * JSON.
	 */
	private List<@Nullable Object> arguments(NewJob job) {
		return this.jobs.get()
			.known(job.job())
			.map((known) -> Collections
				.unmodifiableList(Arrays.asList(this.codec.read(known.method(), known.beanType(), job.arguments()))))
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
	 * Updates jobs. The body of a cancelled job is notified at once instead of by the
	 * next heartbeat.
	 */
	@Override
	public List<UpdateResult> update(UpdateAction action, List<ExpectedJob> jobs) {
		List<UpdateResult> results = super.update(action, jobs);
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
