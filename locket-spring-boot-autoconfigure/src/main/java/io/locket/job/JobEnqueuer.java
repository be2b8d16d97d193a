package io.locket.job;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.locket.DuplicateJobException;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.event.EnqueueCall;
import io.locket.event.JobObservers;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobQueue;
import io.locket.queue.NewJob;
import io.locket.queue.PayloadTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Makes queued jobs of calls, and enqueues them: at once, or after the commit of the
 * transaction that the thread has open. Thread-safe.
 */
public final class JobEnqueuer {

	private final Supplier<JobQueue> queue;

	private final ArgumentCodec codec;

	private final long maxPayload;

	private final boolean afterCommit;

	private final ObservedEnqueue observed;

	private final JobIds ids = new JobIds();

	/**
	 * Create an enqueuer.
	 * @param queue the queue, asked for when it is needed
	 * @param codec writes the arguments
	 * @param maxPayload how many bytes the arguments of a job may have
	 * @param afterCommit whether jobs wait for the commit of an open transaction
	 * @param observers are told of each call that enqueues
	 */
	public JobEnqueuer(Supplier<JobQueue> queue, ArgumentCodec codec, long maxPayload, boolean afterCommit,
			JobObservers observers) {
		this.queue = Objects.requireNonNull(queue, "'queue' must not be null");
		this.codec = Objects.requireNonNull(codec, "'codec' must not be null");
		this.maxPayload = maxPayload;
		this.afterCommit = afterCommit;
		this.observed = new ObservedEnqueue(observers);
	}

	/**
	 * Enqueue a call.
	 * @param job the job, with the strategies of the queue that it goes to
	 * @param key the key of the call, or {@code null} if the job has no lock
	 * @param args the arguments, of the types of the parameters
	 * @param options when and where
	 * @return what became of it
	 * @throws IllegalArgumentException if an argument cannot be queued
	 * @throws PayloadTooLargeException if the arguments are too large
	 * @throws DuplicateJobException if another job of the key is there and the job says
	 * {@code RAISE}, unless it waits for a transaction
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 */
	public EnqueueResult enqueue(UniqueJobDefinition job, @Nullable JobKey key, @Nullable Object[] args,
			EnqueueOptions options) {
		EnqueueCall call = new EnqueueCall(job.name(), options.queueOf(job), 1);
		return this.observed.one(call, (trace) -> enqueue(draft(job, key, args, options, trace)));
	}

	private EnqueueResult enqueue(JobDraft draft) {
		if (isDeferred(draft)) {
			return defer(draft, draft.raising());
		}
		EnqueueResult result = this.queue.get().enqueue(draft.job());
		DuplicateJobException duplicate = draft.raising() ? duplicate(draft.job(), result) : null;
		if (duplicate != null) {
			throw duplicate;
		}
		return result;
	}

	/**
	 * Enqueue calls together.
	 * @param requests what was asked for
	 * @param calls the call of each
	 * @return a result for each, in their order
	 * @throws IllegalArgumentException if one cannot be enqueued, so that none is
	 * @throws BulkEnqueueException if the store gave no answer to a step
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
		String arguments = this.codec.write(job.method(), args);
		requireSize(job, arguments);
		NewJob newJob = new NewJob(Objects.requireNonNullElseGet(options.id(), this.ids::next), job.name(),
				options.queueOf(job), arguments, key, job.lock(), job.onDuplicate(), job.onConflictQueued(),
				options.start(), job.leaseFor(), job.uniqueFor(), job.holdAtLeast(), job.rescheduleAfter(),
				job.maxDelay(), job.retries(), trace);
		return new JobDraft(newJob, job.onDuplicate() == DuplicateStrategy.RAISE, options.isImmediate());
	}

	private void requireSize(UniqueJobDefinition job, String arguments) {
		int size = arguments.getBytes(StandardCharsets.UTF_8).length;
		if (size > this.maxPayload) {
			throw new PayloadTooLargeException("The arguments of job '" + job.name() + "' have " + size
					+ " bytes as JSON, and a job may have " + this.maxPayload
					+ ". Store what is large elsewhere and pass where it is, or raise locket.queue.max-payload");
		}
	}

	boolean isDeferred(JobDraft draft) {
		return this.afterCommit && !draft.immediate() && CommittedJobs.canWait();
	}

	EnqueueResult defer(JobDraft draft, boolean raising) {
		return CommittedJobs.current(this).add(draft, raising);
	}

	/**
	 * Enqueue jobs at once.
	 * @param jobs at most {@link JobBatch#STEP} jobs
	 * @return a result for each, in their order
	 */
	List<EnqueueResult> send(List<NewJob> jobs) {
		return this.queue.get().enqueue(jobs);
	}

	static @Nullable DuplicateJobException duplicate(NewJob job, EnqueueResult result) {
		JobKey key = job.key();
		return (key != null && result instanceof EnqueueResult.Duplicate duplicate)
				? DuplicateJobException.ofEnqueued(key, duplicate.of(), duplicate.state()) : null;
	}

}
