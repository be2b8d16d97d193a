package io.locket.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.locket.key.JobKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.argument.ArgumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Producer API that enqueues jobs, by a recorded call or by name. In an open transaction
 * the result is {@link EnqueueResult.Deferred}: the jobs of the transaction are enqueued
 * after the commit, in one call and in their order, and not at all after a rollback.
 * Everything that does not need the store is checked at the call. Thread-safe.
 */
public final class Jobs {

	private final JobCalls calls;

	private final JobEnqueuer enqueuer;

	/**
	 * Creates a producer.
	 * @param jobs the jobs
	 * @param keys the factory of their keys
	 * @param codec the codec of their arguments
	 * @param enqueuer the enqueuer
	 */
	public Jobs(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec, JobEnqueuer enqueuer) {
		this.calls = new JobCalls(jobs, keys, codec);
		this.enqueuer = Objects.requireNonNull(enqueuer, "'enqueuer' must not be null");
	}

	/**
	 * Enqueues a job by a call of it, due at once:
	 * {@code enqueue(Billing.class, (billing) -> billing.bill(42, may, now))}. The call
	 * is recorded on this thread and does not run the job.
	 * @param type the type of the bean, or an interface that it implements. If this
	 * application has no such bean, an interface whose {@code @UniqueJob} has a name
	 * @param call a callback that calls the job once; its unchecked exceptions are
	 * propagated
	 * @param <T> the type
	 * @return the result; a job is never dropped silently
	 * @throws IllegalArgumentException if the call cannot be recorded, if it calls no job
	 * or several jobs, if an argument cannot be queued, or if the interface declares an
	 * unsupported combination; the message contains the remedy
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 * @throws io.locket.DuplicateJobException if another job of the key exists and the
	 * duplicate strategy of the job is {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply; it
	 * is unknown then whether the job is enqueued
	 */
	public <T> EnqueueResult enqueue(Class<T> type, JobInvocation<? super T> call) {
		return enqueue(JobRequest.of(type, call));
	}

	/**
	 * Enqueues a job by a call of it.
	 * @param type the type of the bean, or an interface that it implements. If this
	 * application has no such bean, an interface whose {@code @UniqueJob} has a name
	 * @param call a callback that calls the job once; its unchecked exceptions are
	 * propagated
	 * @param options the due time, queue and id
	 * @param <T> the type
	 * @return the result
	 * @throws IllegalArgumentException if the call cannot be recorded, if it calls no job
	 * or several jobs, if an argument cannot be queued, or if the interface declares an
	 * unsupported combination; the message contains the remedy
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 * @throws io.locket.DuplicateJobException if another job of the key exists and the
	 * duplicate strategy of the job is {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply; the
	 * call may be repeated with the same {@link EnqueueOptions#id(String) id}
	 */
	public <T> EnqueueResult enqueue(Class<T> type, JobInvocation<? super T> call, EnqueueOptions options) {
		return enqueue(JobRequest.of(type, call).with(options));
	}

	/**
	 * Enqueues a job by its name, due at once. The arguments are converted to the types
	 * of the parameters before the key is derived: {@code 42} fits a {@code long}, and
	 * {@code "2026-05"} a {@code YearMonth}.
	 * @param job the name of the job, or one of its aliases
	 * @param args the arguments
	 * @return the result; a job is never dropped silently
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 * @throws io.locket.DuplicateJobException if another job of the key exists and the
	 * duplicate strategy of the job is {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply; it
	 * is unknown then whether the job is enqueued
	 */
	public EnqueueResult enqueue(String job, @Nullable Object... args) {
		return enqueue(EnqueueOptions.now(), job, args);
	}

	/**
	 * Enqueues a job by its name.
	 * @param options the due time, queue and id
	 * @param job the name of the job, or one of its aliases
	 * @param args the arguments
	 * @return the result
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 * @throws io.locket.DuplicateJobException if another job of the key exists and the
	 * duplicate strategy of the job is {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply; the
	 * call may be repeated with the same {@link EnqueueOptions#id(String) id}
	 */
	public EnqueueResult enqueue(EnqueueOptions options, String job, @Nullable Object... args) {
		return enqueue(JobRequest.of(job, args).with(options));
	}

	/**
	 * Enqueues many jobs in steps of one hundred. All of them are checked before the
	 * first step: if one cannot be enqueued, none is. A duplicate is returned as a
	 * result, even if the duplicate strategy of its job is {@code RAISE}.
	 * @param requests the requests
	 * @return a result for each, in their order
	 * @throws IllegalArgumentException if a request cannot be enqueued. The message
	 * contains its index; the cause is the exception that a single call would have thrown
	 * @throws BulkEnqueueException if the store does not reply. It holds the results so
	 * far and the requests to repeat the call with
	 */
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> requests) {
		List<JobRequest> all = new ArrayList<>(Objects.requireNonNull(requests, "'requests' must not be null"));
		List<JobCalls.Call> calls = new ArrayList<>(all.size());
		for (JobRequest request : all) {
			calls.add(call(request, calls.size()));
		}
		return this.enqueuer.enqueueAll(all, calls);
	}

	private JobCalls.Call call(JobRequest request, int index) {
		Objects.requireNonNull(request, () -> "The request at index " + index + " must not be null");
		try {
			return this.calls.of(request);
		}
		catch (IllegalArgumentException ex) {
			throw JobBatch.refused(request, index, ex);
		}
	}

	/**
	 * Enqueues a job that is given by a call of it or by its name, with its options.
	 * @param request the job, with its options
	 * @return the result
	 * @throws IllegalArgumentException if the request cannot be enqueued; the message
	 * contains the remedy
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 * @throws io.locket.DuplicateJobException if another job of the key exists and the
	 * duplicate strategy of the job is {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply; the
	 * call may be repeated with the same {@link EnqueueOptions#id(String) id}
	 */
	public EnqueueResult enqueue(JobRequest request) {
		JobCalls.Call call = this.calls.of(request);
		return this.enqueuer.enqueue(call.job(), call.key(), call.args(), request.options());
	}

}
