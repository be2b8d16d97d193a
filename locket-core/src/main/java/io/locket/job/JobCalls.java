package io.locket.job;

import java.util.Objects;

import io.locket.JobKey;
import io.locket.JobKeyException;
import io.locket.LockStrategy;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.key.JobKeys;
import io.locket.queue.argument.ArgumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Resolver of requests to calls: the job with the strategies of its queue, the arguments
 * with the types of the parameters, and the key.
 */
final class JobCalls {

	private final UniqueJobs jobs;

	private final JobKeys keys;

	private final ArgumentCodec codec;

	JobCalls(UniqueJobs jobs, JobKeys keys, ArgumentCodec codec) {
		this.jobs = Objects.requireNonNull(jobs, "'jobs' must not be null");
		this.keys = Objects.requireNonNull(keys, "'keys' must not be null");
		this.codec = Objects.requireNonNull(codec, "'codec' must not be null");
	}

	/**
	 * Resolves a request. Arguments of a recorded call have their types, others are
	 * converted.
	 * @throws IllegalArgumentException if there is no such job, or if it does not accept
	 * the arguments
	 * @throws JobKeyException if no key can be derived from them
	 */
	Call of(JobRequest request) {
		UniqueJobDefinition job = this.jobs.job(request);
		@Nullable Object[] args = (request.call() != null) ? request.args() : CallArguments.of(this.codec, job, request.args());
		return call(job, request.options(), args);
	}

	/**
	 * Resolves a template, whose arguments are JSON.
	 * @throws IllegalArgumentException if there is no such job
	 * @throws io.locket.queue.UnreadableArgumentsException if it does not accept them
	 * @throws JobKeyException if no key can be derived from them
	 */
	Call of(JobTemplate template, EnqueueOptions options) {
		UniqueJobDefinition job = this.jobs.job(JobRequest.of(template.job()).with(options));
		return call(job, options, this.codec.read(job.method(), job.beanType(), template.arguments()));
	}

	private Call call(UniqueJobDefinition job, EnqueueOptions options, @Nullable Object[] args) {
		return new Call(job, key(job, options.queueOf(job), args), args);
	}

	private @Nullable JobKey key(UniqueJobDefinition job, String queue, @Nullable Object[] args) {
		if (job.lock() == LockStrategy.NONE) {
			return null;
		}
		try {
			return job.key(job.call(queue, args), this.keys);
		}
		catch (JobKeyException ex) {
			// An argument that cannot be queued is reported first, because another key
			// does not help.
			this.codec.write(job.method(), job.beanType(), args);
			throw ex;
		}
	}

	/**
	 * Resolved call.
	 *
	 * @param job the job
	 * @param key the key, or {@code null} if the job has no lock
	 * @param args the arguments
	 */
	record Call(UniqueJobDefinition job, @Nullable JobKey key, @Nullable Object[] args) {

	}

}
