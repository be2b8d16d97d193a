package io.locket.job;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.JobKeyException;
import io.locket.LockStrategy;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.job.recording.CallRecorder;
import io.locket.job.recording.RecordedCall;
import io.locket.key.JobCall;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import io.locket.queue.QueueNames;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.KeyBlocker;
import org.jspecify.annotations.Nullable;

/**
 * Information about the jobs of an application and their keys. Only
 * {@link #forceRelease(String, Object...)} changes something. Thread-safe.
 */
public final class UniqueJobs {

	private final UniqueJobCatalog catalog;

	private final JobKeys keys;

	private final ArgumentCodec codec;

	private final KeyBlockers blockers;

	private final @Nullable String queue;

	/**
	 * Creates an introspection.
	 * @param catalog the jobs
	 * @param keys the factory of their keys
	 * @param codec the codec of their arguments
	 * @param store the supplier of the store of queued jobs, called when it is needed;
	 * returns {@code null} if there is no queue
	 * @param leases the supplier of the lease service, called when it is needed
	 */
	public UniqueJobs(UniqueJobCatalog catalog, JobKeys keys, ArgumentCodec codec, Supplier<@Nullable JobStore> store,
			Supplier<LeaseService> leases) {
		this(catalog, keys, codec, new KeyBlockers(store, leases), null);
	}

	private UniqueJobs(UniqueJobCatalog catalog, JobKeys keys, ArgumentCodec codec, KeyBlockers blockers,
			@Nullable String queue) {
		this.catalog = catalog;
		this.keys = keys;
		this.codec = codec;
		this.blockers = blockers;
		this.queue = queue;
	}

	/**
	 * Returns an introspection of jobs as they are in a queue other than their own. The
	 * queue affects keys that use {@code #queue} and strategies that the jobs do not
	 * state.
	 * @param queue the name of the queue
	 * @return a new introspection
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public UniqueJobs inQueue(String queue) {
		return new UniqueJobs(this.catalog, this.keys, this.codec, this.blockers, QueueNames.require(queue));
	}

	/**
	 * Returns all jobs as they are in their own queues, in the order of their names.
	 * @return the jobs
	 */
	public Collection<UniqueJobDefinition> jobs() {
		return this.catalog.jobs();
	}

	/**
	 * Returns a job.
	 * @param job the name of the job, or one of its aliases
	 * @return the job
	 * @throws IllegalArgumentException if there is no such job
	 */
	public UniqueJobDefinition job(String job) {
		return inQueue(named(job));
	}

	/**
	 * Returns a job as it is in the queue of this introspection.
	 */
	private UniqueJobDefinition inQueue(UniqueJobDefinition job) {
		return (this.queue != null) ? this.catalog.in(job, this.queue) : job;
	}

	private UniqueJobDefinition named(String job) {
		return this.catalog.known(job)
			.orElseThrow(() -> new IllegalArgumentException("There is no job '" + job + "'. " + knownJobs()));
	}

	/**
	 * Returns the names and aliases of the jobs of a class.
	 * @param type the class
	 * @return the names and aliases, empty if it has no jobs
	 */
	public Set<String> names(Class<?> type) {
		return this.catalog.names(type);
	}

	private String knownJobs() {
		List<String> names = this.catalog.jobs().stream().map(UniqueJobDefinition::name).toList();
		return (names.isEmpty() ? "No bean of this application has jobs" : "Known jobs are " + names)
				+ ". A job of an interface is known after a first call by its type: enqueue(Type.class, (job) -> ...)";
	}

	/**
	 * Finds a job of this application, or a job of another one whose interface was called
	 * here before.
	 * @param job the name of the job, or one of its aliases
	 * @return the job, or empty if none of that name is known
	 */
	public Optional<UniqueJobDefinition> known(String job) {
		return this.catalog.known(job).map(this::inQueue);
	}

	/**
	 * Returns the job of a recorded call.
	 * @param call the call
	 * @return the job, possibly one that only an interface declares
	 * @throws IllegalArgumentException if it is not a job, or if it is ambiguous
	 */
	public UniqueJobDefinition job(RecordedCall call) {
		return inQueue(this.catalog.find(call));
	}

	UniqueJobDefinition job(JobRequest request) {
		RecordedCall call = request.call();
		UniqueJobDefinition job = (call != null) ? this.catalog.queued(this.catalog.find(call), call.type())
				: this.catalog.queued(named(Objects.requireNonNull(request.name())), null);
		return this.catalog.in(job, request.options().queueOf(job));
	}

	/**
	 * Returns whether direct calls of a job exclude one another.
	 * @param job the name of the job
	 * @return {@code false} if its lock strategy leaves direct calls unguarded
	 * @throws IllegalArgumentException if there is no such job
	 */
	public boolean isExclusive(String job) {
		return job(job).lock().guardsDirectCalls();
	}

	/**
	 * Returns the key of a call without executing it. A job with the lock strategy
	 * {@code NONE} has no key.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return the key
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws JobKeyException if no key can be derived from them
	 */
	public JobKey keyOf(String job, @Nullable Object... args) {
		return keyOf(call(job, args));
	}

	/**
	 * Returns the key of a call without executing it. A job with the lock strategy
	 * {@code NONE} has no key.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call a callback that calls the job once
	 * @param <T> the type
	 * @return the key
	 * @throws IllegalArgumentException if the call cannot be recorded, or does not call a
	 * job
	 * @throws JobKeyException if no key can be derived from it
	 */
	public <T> JobKey keyOf(Class<T> type, JobInvocation<? super T> call) {
		return keyOf(call(type, call));
	}

	/**
	 * Returns the canonical text of the key of a call, unmasked. The digest of the key is
	 * the first half of its SHA-256. Comparing the texts of two calls shows why their
	 * keys differ.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return canonical JSON
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws JobKeyException if no key can be derived from them
	 */
	public String canonicalKey(String job, @Nullable Object... args) {
		Call call = call(job, args);
		requireKey(call);
		return this.keys.canonicalText(call.job().name(), call.job().keyGenerator().generate(call.call()));
	}

	/**
	 * Returns whether a key is available: no identical job waits, is parked, waits for a
	 * retry or runs, and no direct call holds the key. A job without a lock has no key
	 * and is always available. A waiting job with {@code WHILE_EXECUTING} also counts,
	 * although it refuses neither an enqueue nor a direct call. The result is advisory:
	 * it may be outdated on return. The cost and the limits of the search are those of
	 * {@link #blocker(String, Object...)}.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return {@code false} if the key is blocked
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws JobKeyException if no key can be derived from them
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.queue.QueueUnavailableException if the queue does not reply
	 * @throws UnsupportedOperationException if the lease store does not support it
	 */
	public boolean isAvailable(String job, @Nullable Object... args) {
		return blocker(job, args).isEmpty();
	}

	/**
	 * Returns whether a key is available.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call a callback that calls the job once
	 * @param <T> the type
	 * @return {@code false} if the key is blocked
	 * @throws IllegalArgumentException if the call cannot be recorded, or does not call a
	 * job
	 * @throws JobKeyException if no key can be derived from it
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.queue.QueueUnavailableException if the queue does not reply
	 * @throws UnsupportedOperationException if the lease store does not support it
	 * @see #isAvailable(String, Object...)
	 */
	public <T> boolean isAvailable(Class<T> type, JobInvocation<? super T> call) {
		return blocker(type, call).isEmpty();
	}

	/**
	 * Finds the job or holder that blocks a key. It takes and frees nothing. The result
	 * is advisory: it may be outdated on return.
	 * <p>
	 * A ticket, a lease, a claim or a parked job is found in one step. Jobs that may have
	 * none of them are searched among all running or waiting jobs, five hundred in a
	 * step. These are running jobs with {@code UNTIL_EXECUTING} and
	 * {@code UNTIL_EXPIRED}, and waiting jobs with {@code WHILE_EXECUTING}, with
	 * {@code UNTIL_EXPIRED} or with a cap. The position of a job found by this search is
	 * unknown.
	 * <p>
	 * The search follows the lock strategy that the job has here. It may miss a job that
	 * was enqueued with another one, by an earlier version of the application or into a
	 * queue with another policy. A claim of an earlier strategy counts only while its job
	 * waits or runs.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return the blocking job or holder, or empty if there is none, or if the job has no
	 * lock
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws JobKeyException if no key can be derived from them
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.queue.QueueUnavailableException if the queue does not reply
	 * @throws UnsupportedOperationException if the lease store does not support it
	 */
	public Optional<KeyBlocker> blocker(String job, @Nullable Object... args) {
		return blocker(call(job, args));
	}

	/**
	 * Finds the job or holder that blocks a key.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call a callback that calls the job once
	 * @param <T> the type
	 * @return the blocking job or holder, or empty if there is none, or if the job has no
	 * lock
	 * @throws IllegalArgumentException if the call cannot be recorded, or does not call a
	 * job
	 * @throws JobKeyException if no key can be derived from it
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws io.locket.queue.QueueUnavailableException if the queue does not reply
	 * @throws UnsupportedOperationException if the lease store does not support it
	 * @see #blocker(String, Object...)
	 */
	public <T> Optional<KeyBlocker> blocker(Class<T> type, JobInvocation<? super T> call) {
		return blocker(call(type, call));
	}

	/**
	 * Evicts the holder of the key of a call by force. It removes the lease or, if there
	 * is none, the claim ({@code UNTIL_EXPIRED}). A waiting job keeps its place.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return the lease or claim that was removed, or empty if there was none
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws JobKeyException if no key can be derived from them
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the lease store does not support it
	 * @see LeaseService#forceRelease(String)
	 */
	public Optional<HeldLease> forceRelease(String job, @Nullable Object... args) {
		return this.blockers.forceRelease(keyOf(job, args));
	}

	/**
	 * Evicts the holder of the key of a call by force.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call a callback that calls the job once
	 * @param <T> the type
	 * @return the lease or claim that was removed, or empty if there was none
	 * @throws IllegalArgumentException if the call cannot be recorded, or does not call a
	 * job
	 * @throws JobKeyException if no key can be derived from it
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the lease store does not support it
	 * @see #forceRelease(String, Object...)
	 */
	public <T> Optional<HeldLease> forceRelease(Class<T> type, JobInvocation<? super T> call) {
		return this.blockers.forceRelease(keyOf(type, call));
	}

	private Optional<KeyBlocker> blocker(Call call) {
		return (call.job().lock() == LockStrategy.NONE) ? Optional.empty()
				: this.blockers.find(call.job(), keyOf(call));
	}

	private JobKey keyOf(Call call) {
		requireKey(call);
		return call.job().key(call.call(), this.keys);
	}

	private static void requireKey(Call call) {
		if (call.job().lock() == LockStrategy.NONE) {
			throw new JobKeyException("Job '" + call.job().name() + "' has the lock strategy NONE and therefore no key."
					+ " Give it another lock strategy to make it unique", null);
		}
	}

	private Call call(String name, @Nullable Object... args) {
		UniqueJobDefinition job = named(name);
		return call(job, CallArguments.ofDirectCall(this.codec, job, args));
	}

	private <T> Call call(Class<T> type, JobInvocation<? super T> call) {
		RecordedCall recorded = CallRecorder.record(type, call::call);
		return call(this.catalog.find(recorded), recorded.args());
	}

	private Call call(UniqueJobDefinition job, @Nullable Object[] args) {
		String target = (this.queue != null) ? this.queue : job.queue();
		return new Call(this.catalog.in(job, target), job.call(target, args));
	}

	/**
	 * Call of a job that goes to a queue.
	 *
	 * @param job the job with the strategies of that queue
	 * @param call the call
	 */
	private record Call(UniqueJobDefinition job, JobCall call) {

	}

}
