package io.locket.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.locket.key.JobKeys;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs, by a call of them that is recorded and not run, or by their names. In an
 * open transaction the answer is {@link EnqueueResult.Deferred}: the job is enqueued
 * after the commit, all of a transaction in one call and in their order, and not at all
 * after a rollback. Everything but the store's part is checked at the call. Thread-safe.
 */
public final class Jobs {

	private final JobCalls calls;

	private final JobEnqueuer enqueuer;

	/**
	 * Create a producer.
	 * @param jobs the jobs
	 * @param keys makes their keys
	 * @param codec converts their arguments
	 * @param enqueuer enqueues them
	 */
	public Jobs(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec, JobEnqueuer enqueuer) {
		this.calls = new JobCalls(jobs, keys, codec);
		this.enqueuer = Objects.requireNonNull(enqueuer, "'enqueuer' must not be null");
	}

	/**
	 * Enqueue a job by a call of it, due at once:
	 * {@code enqueue(Billing.class, (billing) -> billing.bill(42, may, now))}. The call
	 * is recorded on this thread and runs nothing of the job.
	 * @param type the type of the bean, or an interface that it implements; without such
	 * a bean here, an interface whose {@code @UniqueJob} has a name
	 * @param call calls the job once; what it throws and is unchecked is thrown on
	 * @param <T> the type
	 * @return what became of it; a job that was not accepted is never dropped without
	 * telling
	 * @throws IllegalArgumentException if the call cannot be recorded, is none of a job
	 * or of several ones, if an argument cannot be queued, or if the interface declares
	 * what cannot work; the message says how to go on
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.DuplicateJobException if another job of the key is there and the
	 * job says {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer;
	 * whether the job is enqueued is not known then
	 */
	public <T> EnqueueResult enqueue(Class<T> type, JobInvocation<? super T> call) {
		return enqueue(JobRequest.of(type, call));
	}

	/**
	 * Enqueue a job by a call of it.
	 * @param type the type of the bean, or an interface that it implements; without such
	 * a bean here, an interface whose {@code @UniqueJob} has a name
	 * @param call calls the job once; what it throws and is unchecked is thrown on
	 * @param options when, where and as what
	 * @param <T> the type
	 * @return what became of it
	 * @throws IllegalArgumentException if the call cannot be recorded, is none of a job
	 * or of several ones, if an argument cannot be queued, or if the interface declares
	 * what cannot work; the message says how to go on
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.DuplicateJobException if another job of the key is there and the
	 * job says {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer;
	 * with the same {@link EnqueueOptions#id(String) id} the call may be repeated
	 */
	public <T> EnqueueResult enqueue(Class<T> type, JobInvocation<? super T> call, EnqueueOptions options) {
		return enqueue(JobRequest.of(type, call).with(options));
	}

	/**
	 * Enqueue a job by its name, due at once. The arguments are converted to the types of
	 * the parameters before the key is made: {@code 42} fits a {@code long}, and
	 * {@code "2026-05"} a {@code YearMonth}.
	 * @param job the name of the job, or one of its aliases
	 * @param args the arguments
	 * @return what became of it; a job that was not accepted is never dropped without
	 * telling
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.DuplicateJobException if another job of the key is there and the
	 * job says {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer;
	 * whether the job is enqueued is not known then
	 */
	public EnqueueResult enqueue(String job, @Nullable Object... args) {
		return enqueue(EnqueueOptions.now(), job, args);
	}

	/**
	 * Enqueue a job by its name.
	 * @param options when, where and as what
	 * @param job the name of the job, or one of its aliases
	 * @param args the arguments
	 * @return what became of it
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.DuplicateJobException if another job of the key is there and the
	 * job says {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer;
	 * with the same {@link EnqueueOptions#id(String) id} the call may be repeated
	 */
	public EnqueueResult enqueue(EnqueueOptions options, String job, @Nullable Object... args) {
		return enqueue(JobRequest.of(job, args).with(options));
	}

	/**
	 * Enqueue many jobs, a hundred in a step. All of them are looked at before the first
	 * step: if one cannot be enqueued, none is. A duplicate is answered as such, also if
	 * its job says {@code RAISE}.
	 * @param requests the requests
	 * @return a result for each, in their order
	 * @throws IllegalArgumentException if a request cannot be enqueued, whose index the
	 * message tells; the cause is what a single call would have thrown
	 * @throws BulkEnqueueException if the store gives no answer; tells what was enqueued,
	 * and what to repeat the call with
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
	 * Enqueue a job that is asked for by a call of it or by its name, in one way with and
	 * without options.
	 * @param request the job, with its options
	 * @return what became of it
	 * @throws IllegalArgumentException if the request cannot be enqueued; the message
	 * says how to go on
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.DuplicateJobException if another job of the key is there and the
	 * job says {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer;
	 * with the same {@link EnqueueOptions#id(String) id} the call may be repeated
	 */
	public EnqueueResult enqueue(JobRequest request) {
		JobCalls.Call call = this.calls.of(request);
		return this.enqueuer.enqueue(call.job(), call.key(), call.args(), request.options());
	}

}
