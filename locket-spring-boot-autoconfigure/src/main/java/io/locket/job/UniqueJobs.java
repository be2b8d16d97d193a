package io.locket.job;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.job.recording.RecordedCall;
import io.locket.key.JobCall;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Tells an application about its jobs and their keys. Takes and frees nothing.
 * Thread-safe.
 */
public final class UniqueJobs {

	private final UniqueJobCatalog catalog;

	private final JobKeys keys;

	private final Supplier<LeaseService> leases;

	/**
	 * Create an introspection.
	 * @param catalog the jobs
	 * @param keys makes their keys
	 * @param leases the lease service, asked for when it is needed
	 */
	public UniqueJobs(UniqueJobCatalog catalog, JobKeys keys, Supplier<LeaseService> leases) {
		this.catalog = catalog;
		this.keys = keys;
		this.leases = leases;
	}

	/**
	 * Return every job, in the order of their names.
	 * @return the jobs
	 */
	public Collection<UniqueJobDefinition> jobs() {
		return this.catalog.jobs();
	}

	/**
	 * Return a job.
	 * @param job the name of the job, or one of its aliases
	 * @return the job
	 * @throws IllegalArgumentException if there is no such job
	 */
	public UniqueJobDefinition job(String job) {
		return this.catalog.find(job)
			.orElseThrow(() -> new IllegalArgumentException("There is no job '" + job + "'. Known jobs are "
					+ jobs().stream().map(UniqueJobDefinition::name).toList()));
	}

	/**
	 * Return the job of a recorded call.
	 * @param call the call
	 * @return the job
	 * @throws IllegalArgumentException if it is no job, or if it cannot be told which one
	 */
	UniqueJobDefinition job(RecordedCall call) {
		return this.catalog.find(call);
	}

	UniqueJobDefinition job(JobRequest request) {
		RecordedCall call = request.call();
		UniqueJobDefinition job = (call != null) ? job(call) : job(Objects.requireNonNull(request.name()));
		return this.catalog.in(job, request.options().queueOf(job));
	}

	/**
	 * Return whether direct calls of a job exclude one another.
	 * @param job the name of the job
	 * @return {@code false} if its lock strategy leaves direct calls unguarded
	 * @throws IllegalArgumentException if there is no such job
	 */
	public boolean isExclusive(String job) {
		return job(job).lock().guardsDirectCalls();
	}

	/**
	 * Make the key of a call without calling.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return the key
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.JobKeyException if no key can be made of them
	 */
	public JobKey keyOf(String job, @Nullable Object... args) {
		UniqueJobDefinition definition = job(job);
		return this.keys.keyOf(call(definition, args), definition.keyGenerator(), definition.maskArguments());
	}

	/**
	 * Return the text whose SHA-256 is the digest of the key of a call, unmasked. It
	 * tells why the keys of two calls differ.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return canonical JSON
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.JobKeyException if no key can be made of them
	 */
	public String canonicalKey(String job, @Nullable Object... args) {
		UniqueJobDefinition definition = job(job);
		return this.keys.canonicalText(definition.name(), definition.keyGenerator().generate(call(definition, args)));
	}

	/**
	 * Return whether a call would find its key free now. Advisory: it may be out of date
	 * when this returns.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return {@code false} if the key is taken
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws UnsupportedOperationException if the store cannot tell
	 */
	public boolean isAvailable(String job, @Nullable Object... args) {
		LockStrategy lock = job(job).lock();
		if (!lock.guardsDirectCalls()) {
			return true;
		}
		JobKey key = keyOf(job, args);
		LeaseService service = this.leases.get();
		return (lock == LockStrategy.UNTIL_EXPIRED) ? service.findClaim(key).isEmpty() : service.isAvailable(key);
	}

	private static JobCall call(UniqueJobDefinition job, @Nullable Object... args) {
		Class<?>[] types = job.method().getParameterTypes();
		if (args.length != types.length) {
			throw new IllegalArgumentException(
					"Job '" + job.name() + "' takes " + types.length + " argument(s), but there are " + args.length);
		}
		@Nullable Object[] converted = new @Nullable Object[types.length];
		for (int i = 0; i < types.length; i++) {
			converted[i] = convert(job, i, types[i], args[i]);
		}
		return JobCall.of(job.name(), job.queue(), job.method(), converted);
	}

	/**
	 * Convert an argument the way a call in Java does: an {@code int} may stand for a
	 * {@code long}.
	 */
	private static @Nullable Object convert(UniqueJobDefinition job, int index, Class<?> type, @Nullable Object arg) {
		if (ClassUtils.isAssignableValue(type, arg)) {
			return arg;
		}
		IllegalArgumentException mismatch = new IllegalArgumentException(
				"Argument " + index + " of job '" + job.name() + "' is of type " + type.getTypeName()
						+ ", but there is " + ((arg != null) ? arg.getClass().getTypeName() : "null"));
		if (arg == null || !type.isPrimitive()) {
			throw mismatch;
		}
		try {
			Object widened = Array.newInstance(type, 1);
			Array.set(widened, 0, arg);
			return Array.get(widened, 0);
		}
		catch (IllegalArgumentException ex) {
			mismatch.initCause(ex);
			throw mismatch;
		}
	}

}
