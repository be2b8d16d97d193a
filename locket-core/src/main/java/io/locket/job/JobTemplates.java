package io.locket.job;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.locket.EnqueueRefusedException;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.key.JobKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.NewJob;

import org.springframework.util.Assert;

/**
 * Factory of job templates and of jobs made from them. It does not call the store.
 * Thread-safe.
 */
public final class JobTemplates {

	private final UniqueJobs jobs;

	private final JobCalls calls;

	private final JobEnqueuer enqueuer;

	private final JobIds ids = new JobIds();

	/**
	 * Creates a factory.
	 * @param jobs the jobs
	 * @param keys the factory of their keys
	 * @param codec the codec of their arguments
	 * @param enqueuer the enqueuer, which creates the jobs
	 */
	public JobTemplates(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec, JobEnqueuer enqueuer) {
		this.jobs = Objects.requireNonNull(jobs, "'jobs' must not be null");
		this.calls = new JobCalls(jobs, keys, codec);
		this.enqueuer = Objects.requireNonNull(enqueuer, "'enqueuer' must not be null");
	}

	/**
	 * Returns the names of the jobs of the beans of this application.
	 * @return the names, without aliases
	 */
	public List<String> names() {
		return this.jobs.jobs().stream().map(UniqueJobDefinition::name).toList();
	}

	/**
	 * Finds the job of a request, regardless of its arguments.
	 * @param request the request
	 * @return the job, with the strategies of its target queue
	 * @throws IllegalArgumentException if there is no such job, if its bean is ambiguous,
	 * or if it cannot be unique in that queue
	 */
	public UniqueJobDefinition find(JobRequest request) {
		return this.jobs.job(request);
	}

	/**
	 * Creates a template. It applies all checks that apply when a job is created from it.
	 * @param request the job and its arguments; of its options only the queue is used
	 * @return the template, with the name of the job even if the request has an alias
	 * @throws IllegalArgumentException if there is no such job, if it does not accept the
	 * arguments, if they cannot be queued, or if the request has a due time or an id
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 */
	public JobTemplate template(JobRequest request) {
		EnqueueOptions options = request.options();
		Assert.isTrue(options.start().equals(NewJob.Start.NOW) && options.id() == null,
				() -> "Job " + request + " is enqueued repeatedly: remove the due time and the id from its options");
		JobCalls.Call call = this.calls.of(request);
		NewJob job = draft(call, options).job();
		return new JobTemplate(job.job(), job.arguments(), options.isQueueNamed() ? job.queue() : null);
	}

	/**
	 * Creates a job that is due at once.
	 * @param template the template
	 * @param id the id of the job
	 * @return the job
	 * @throws IllegalArgumentException if this application has no such job
	 * @throws io.locket.queue.UnreadableArgumentsException if it does not accept the
	 * arguments
	 * @throws io.locket.queue.PayloadTooLargeException if they are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 * @throws EnqueueRefusedException if a guard refuses the job
	 */
	public NewJob job(JobTemplate template, String id) {
		NewJob job = make(template, id);
		String reason = this.enqueuer.guards().refusal(job);
		if (reason != null) {
			throw new EnqueueRefusedException(job.job(), reason);
		}
		this.enqueuer.watch(job);
		return job;
	}

	private NewJob make(JobTemplate template, String id) {
		EnqueueOptions options = EnqueueOptions.now().id(id);
		if (template.queue() != null) {
			options = options.queue(template.queue());
		}
		return draft(this.calls.of(template, options), options).job();
	}

	/**
	 * Creates a job that is due at once, with a new id, and enqueues it.
	 * @param template the template
	 * @param queue the function that enqueues it, unless a guard refuses it
	 * @return the result
	 * @throws IllegalArgumentException if this application has no such job
	 * @throws io.locket.queue.UnreadableArgumentsException if it does not accept the
	 * arguments
	 * @throws io.locket.queue.PayloadTooLargeException if they are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 */
	public EnqueueResult enqueue(JobTemplate template, Function<NewJob, EnqueueResult> queue) {
		NewJob job = make(template, this.ids.next());
		EnqueueResult.Refused refused = this.enqueuer.guards().check(job);
		if (refused != null) {
			return refused;
		}
		EnqueueResult result = queue.apply(job);
		this.enqueuer.watch(job);
		return result;
	}

	private JobDraft draft(JobCalls.Call call, EnqueueOptions options) {
		return this.enqueuer.draft(call.job(), call.key(), call.args(), options, null);
	}

}
