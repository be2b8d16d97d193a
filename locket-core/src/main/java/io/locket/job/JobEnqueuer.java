package io.locket.job;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.locket.DuplicateJobException;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.observer.EnqueueCall;
import io.locket.observer.JobObservers;
import io.locket.queue.EnqueueResult;
import io.locket.queue.PayloadTooLargeException;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Enqueuer of calls. It creates the queued jobs and enqueues them at once, or after the
 * commit of the transaction of the current thread. Thread-safe.
 */
public final class JobEnqueuer {

	/**
	 * Maximum number of UTF-8 bytes for one char of a string.
	 */
	private static final int MOST_BYTES = 3;

	private final Supplier<JobQueue> queue;

	private final ArgumentCodec codec;

	private final long maxPayload;

	private final boolean afterCommit;

	private final ObservedEnqueue observed;

	private final EnqueueGuards guards;

	private final Consumer<String> watch;

	private final JobIds ids = new JobIds();

	/**
	 * Creates an enqueuer.
	 * @param queue the supplier of the queue, called when it is needed
	 * @param codec the codec of the arguments
	 * @param maxPayload the maximum number of bytes of the arguments of a job
	 * @param afterCommit whether jobs wait for the commit of an open transaction
	 * @param observers the observers of enqueuing calls
	 * @param guards the guards, which may refuse jobs
	 * @param watch the callback for each queue into which jobs are enqueued; must not
	 * block
	 */
	public JobEnqueuer(Supplier<JobQueue> queue, ArgumentCodec codec, long maxPayload, boolean afterCommit,
			JobObservers observers, EnqueueGuards guards, Consumer<String> watch) {
		this.queue = Objects.requireNonNull(queue, "'queue' must not be null");
		this.codec = Objects.requireNonNull(codec, "'codec' must not be null");
		this.maxPayload = maxPayload;
		this.afterCommit = afterCommit;
		this.observed = new ObservedEnqueue(observers);
		this.guards = Objects.requireNonNull(guards, "'guards' must not be null");
		this.watch = Objects.requireNonNull(watch, "'watch' must not be null");
	}

	/**
	 * Enqueues a call.
	 * @param job the job, with the strategies of its target queue
	 * @param key the key of the call, or {@code null} if the job has no lock
	 * @param args the arguments, with the types of the parameters
	 * @param options the due time, queue and id
	 * @return the result
	 * @throws IllegalArgumentException if an argument cannot be queued
	 * @throws PayloadTooLargeException if the arguments are too large
	 * @throws DuplicateJobException if another job of the key exists and the duplicate
	 * strategy of the job is {@code RAISE}, unless it waits for a transaction
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	public EnqueueResult enqueue(UniqueJobDefinition job, @Nullable JobKey key, @Nullable Object[] args,
			EnqueueOptions options) {
		EnqueueCall call = new EnqueueCall(job.name(), options.queueOf(job), 1, job.maskArguments());
		return this.observed.one(call, (trace) -> enqueue(draft(job, key, args, options, trace)));
	}

	private EnqueueResult enqueue(JobDraft draft) {
		EnqueueResult.Refused refused = this.guards.check(draft.job());
		if (refused != null) {
			return refused;
		}
		if (isDeferred(draft)) {
			return defer(draft);
		}
		EnqueueResult result = this.queue.get().enqueue(draft.job());
		this.watch.accept(draft.job().queue());
		DuplicateJobException duplicate = draft.raising() ? duplicate(draft.job(), result) : null;
		if (duplicate != null) {
			throw duplicate;
		}
		return result;
	}

	/**
	 * Enqueues calls together.
	 * @param requests the requests
	 * @param calls the call of each
	 * @return a result for each, in their order
	 * @throws IllegalArgumentException if one cannot be enqueued, so none is
	 * @throws BulkEnqueueException if the store did not reply to a step
	 */
	List<EnqueueResult> enqueueAll(List<JobRequest> requests, List<JobCalls.Call> calls) {
		if (requests.isEmpty()) {
			return List.of();
		}
		return this.observed.many(JobBatch.callOf(requests, calls),
				(trace) -> JobBatch.of(requests, calls, this, trace).send(this));
	}

	JobDraft draft(UniqueJobDefinition job, @Nullable JobKey key, @Nullable Object[] args, EnqueueOptions options,
			@Nullable String trace) {
		String arguments = this.codec.write(job.method(), job.beanType(), args);
		requireSize(job, arguments);
		NewJob newJob = NewJob
			.builder(Objects.requireNonNullElseGet(options.id(), this.ids::next), job.name(), options.queueOf(job))
			.arguments(arguments)
			.unique(job.lock(), key, job.uniqueFor())
			.onDuplicate(job.onDuplicate())
			.onConflict(job.onConflictQueued())
			.start(options.start())
			.leaseFor(job.times().leaseFor())
			.holdAtLeast(job.times().holdAtLeast())
			.rescheduleAfter(job.times().rescheduleAfter())
			.maxDelay(job.times().maxDelay())
			.retries(job.retry().retries())
			.trace(trace)
			.build();
		return new JobDraft(newJob, job.onDuplicate() == DuplicateStrategy.RAISE, options.isImmediate());
	}

	private void requireSize(UniqueJobDefinition job, String arguments) {
		if (arguments.length() <= this.maxPayload / MOST_BYTES) {
			return;
		}
		int size = arguments.getBytes(StandardCharsets.UTF_8).length;
		if (size > this.maxPayload) {
			throw new PayloadTooLargeException("The arguments of job '" + job.name() + "' have " + size
					+ " bytes as JSON, and the limit is " + this.maxPayload
					+ ". Store large data elsewhere and pass a reference, or raise locket.queue.max-payload");
		}
	}

	/**
	 * Notifies the watch of a job that other code enqueues.
	 */
	void watch(NewJob job) {
		this.watch.accept(job.queue());
	}

	/**
	 * Returns the guards.
	 */
	EnqueueGuards guards() {
		return this.guards;
	}

	boolean isDeferred(JobDraft draft) {
		return this.afterCommit && !draft.immediate() && CommittedJobs.canWait();
	}

	/**
	 * Passes the jobs that wait for the commit of the current transaction of this thread,
	 * in their order. Jobs of a suspended transaction are not included.
	 * @param action receives each job with its provisional result
	 */
	public static void forEachDeferred(BiConsumer<NewJob, EnqueueResult.Deferred> action) {
		CommittedJobs.forEach(action);
	}

	EnqueueResult defer(JobDraft draft) {
		return CommittedJobs.current(this).add(draft);
	}

	/**
	 * Enqueues jobs at once.
	 * @param jobs at most {@link JobBatch#STEP} jobs
	 * @return a result for each, in their order
	 */
	List<EnqueueResult> send(List<NewJob> jobs) {
		List<EnqueueResult> results = this.queue.get().enqueue(jobs);
		jobs.forEach((job) -> this.watch.accept(job.queue()));
		return results;
	}

	static @Nullable DuplicateJobException duplicate(NewJob job, EnqueueResult result) {
		JobKey key = job.key();
		return (key != null && result instanceof EnqueueResult.Duplicate duplicate)
				? DuplicateJobException.ofEnqueued(key, duplicate.of(), duplicate.state()) : null;
	}

}
