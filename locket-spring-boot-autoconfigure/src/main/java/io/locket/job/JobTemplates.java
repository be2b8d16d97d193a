package io.locket.job;

import java.util.Objects;

import io.locket.key.JobKeys;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.NewJob;

import org.springframework.util.Assert;

/**
 * Makes templates of requests, and jobs of templates. Asks no store. Thread-safe.
 */
public final class JobTemplates {

	private final UniqueJobs jobs;

	private final JobCalls calls;

	private final JobEnqueuer enqueuer;

	private final JobIds ids = new JobIds();

	/**
	 * Create a maker.
	 * @param jobs the jobs
	 * @param keys makes their keys
	 * @param codec reads their arguments
	 * @param enqueuer knows how jobs are made
	 */
	public JobTemplates(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec, JobEnqueuer enqueuer) {
		this.jobs = Objects.requireNonNull(jobs, "'jobs' must not be null");
		this.calls = new JobCalls(jobs, keys, codec);
		this.enqueuer = Objects.requireNonNull(enqueuer, "'enqueuer' must not be null");
	}

	/**
	 * Look which job a request means, whatever its arguments are.
	 * @param request the job
	 * @return the job, with the strategies of the queue that it goes to
	 * @throws IllegalArgumentException if there is no such job, if it cannot be told
	 * which bean runs it, or if it cannot be unique in that queue
	 */
	public UniqueJobDefinition find(JobRequest request) {
		return this.jobs.job(request);
	}

	/**
	 * Make a template. All is checked that will be checked when a job is made of it.
	 * @param request the job and its arguments; of its options the queue counts
	 * @return the template, which has the name of the job also if the request has an
	 * alias
	 * @throws IllegalArgumentException if there is no such job, if it does not take the
	 * arguments, if they cannot be queued, or if the request says when or as what
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 */
	public JobTemplate template(JobRequest request) {
		EnqueueOptions options = request.options();
		Assert.isTrue(options.start().equals(NewJob.Start.NOW) && options.id() == null,
				() -> "Job " + request + " is to be enqueued over and over: leave out when, and the id");
		JobCalls.Call call = this.calls.of(request);
		NewJob job = draft(call, options).job();
		return new JobTemplate(job.job(), job.arguments(), options.isQueueNamed() ? job.queue() : null);
	}

	/**
	 * Make a job that is due at once.
	 * @param template the template
	 * @param id the id of the job
	 * @return the job
	 * @throws IllegalArgumentException if there is no such job here
	 * @throws io.locket.queue.UnreadableArgumentsException if it does not take the
	 * arguments
	 * @throws io.locket.queue.PayloadTooLargeException if they are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 */
	public NewJob job(JobTemplate template, String id) {
		EnqueueOptions options = EnqueueOptions.now().id(id);
		if (template.queue() != null) {
			options = options.queue(template.queue());
		}
		return draft(this.calls.of(template, options), options).job();
	}

	/**
	 * Make a job that is due at once, with an id of its own.
	 * @param template the template
	 * @return the job
	 * @throws IllegalArgumentException if there is no such job here
	 * @throws io.locket.queue.UnreadableArgumentsException if it does not take the
	 * arguments
	 * @throws io.locket.queue.PayloadTooLargeException if they are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 */
	public NewJob job(JobTemplate template) {
		return job(template, this.ids.next());
	}

	private JobDraft draft(JobCalls.Call call, EnqueueOptions options) {
		return this.enqueuer.draft(call.job(), call.key(), call.args(), options, null);
	}

}
