package io.locket.job;

import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.job.recording.CallRecorder;
import io.locket.job.recording.RecordedCall;
import io.locket.key.JobCall;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import io.locket.queue.JobStore;
import io.locket.queue.KeyOccupant;
import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

/**
 * Tells an application about its jobs and their keys. Takes and frees nothing.
 * Thread-safe.
 */
public final class UniqueJobs {

	private final UniqueJobCatalog catalog;

	private final JobKeys keys;

	private final KeyOccupants occupants;

	private final @Nullable String queue;

	/**
	 * Create an introspection.
	 * @param catalog the jobs
	 * @param keys makes their keys
	 * @param store where queued jobs are, asked for when it is needed; gives {@code null}
	 * if there is no queue
	 * @param leases the lease service, asked for when it is needed
	 */
	public UniqueJobs(UniqueJobCatalog catalog, JobKeys keys, Supplier<@Nullable JobStore> store,
			Supplier<LeaseService> leases) {
		this(catalog, keys, new KeyOccupants(store, leases), null);
	}

	private UniqueJobs(UniqueJobCatalog catalog, JobKeys keys, KeyOccupants occupants, @Nullable String queue) {
		this.catalog = catalog;
		this.keys = keys;
		this.occupants = occupants;
		this.queue = queue;
	}

	/**
	 * Look at jobs as they are when they are enqueued into a queue other than their own:
	 * their keys if {@code #queue} is in them, and the strategies that they leave open.
	 * @param queue the name of the queue
	 * @return an introspection of its own
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public UniqueJobs inQueue(String queue) {
		return new UniqueJobs(this.catalog, this.keys, this.occupants, QueueNames.require(queue));
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
	 * Find a job of this process, or one of another process whose interface was called
	 * here before.
	 * @param job the name of the job, or one of its aliases
	 * @return the job, or empty if none of that name is known
	 */
	public Optional<UniqueJobDefinition> known(String job) {
		return this.catalog.known(job);
	}

	/**
	 * Return the job of a recorded call.
	 * @param call the call
	 * @return the job, also one that only an interface declares
	 * @throws IllegalArgumentException if it is no job, or if it cannot be told which one
	 */
	public UniqueJobDefinition job(RecordedCall call) {
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
		return keyOf(call(job, args));
	}

	/**
	 * Make the key of a call without calling.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call calls the job once
	 * @param <T> the type
	 * @return the key
	 * @throws IllegalArgumentException if the call cannot be recorded, or is none of a
	 * job
	 * @throws io.locket.JobKeyException if no key can be made of it
	 */
	public <T> JobKey keyOf(Class<T> type, JobInvocation<? super T> call) {
		return keyOf(call(type, call));
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
		Call call = call(job, args);
		return this.keys.canonicalText(call.job().name(), call.job().keyGenerator().generate(call.call()));
	}

	/**
	 * Return whether nobody is there of a key: no identical job waits, is parked, waits
	 * for a retry or runs, and no direct call has the key. A job without a lock has no
	 * key and is always available. Advisory: it may be out of date when this returns.
	 * What it costs is what {@link #occupant(String, Object...)} costs.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return {@code false} if somebody is there
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws io.locket.queue.QueueUnavailableException if the queue gives no answer
	 * @throws UnsupportedOperationException if the store of the leases cannot tell
	 */
	public boolean isAvailable(String job, @Nullable Object... args) {
		return occupant(job, args).isEmpty();
	}

	/**
	 * Return whether nobody is there of a key.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call calls the job once
	 * @param <T> the type
	 * @return {@code false} if somebody is there
	 * @throws IllegalArgumentException if the call cannot be recorded, or is none of a
	 * job
	 * @throws io.locket.JobKeyException if no key can be made of it
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws io.locket.queue.QueueUnavailableException if the queue gives no answer
	 * @throws UnsupportedOperationException if the store of the leases cannot tell
	 * @see #isAvailable(String, Object...)
	 */
	public <T> boolean isAvailable(Class<T> type, JobInvocation<? super T> call) {
		return occupant(type, call).isEmpty();
	}

	/**
	 * Find out who is there of a key. Advisory: takes and frees nothing, and may be out
	 * of date when this returns.
	 * <p>
	 * One step tells of a ticket, a lease, a claim or a parked job. Where a job may be
	 * there that has none of them, all that run or wait are looked at, a thousand in a
	 * step: those that run with {@code UNTIL_EXECUTING} and {@code UNTIL_EXPIRED}, and
	 * those that wait with {@code WHILE_EXECUTING}, {@code UNTIL_EXPIRED} and whatever
	 * has a cap. The place of a job that was found so is not known.
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return who is there, or empty if nobody is, or if the job has no lock
	 * @throws IllegalArgumentException if there is no such job, or if its method cannot
	 * be called with the arguments
	 * @throws io.locket.JobKeyException if no key can be made of them
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws io.locket.queue.QueueUnavailableException if the queue gives no answer
	 * @throws UnsupportedOperationException if the store of the leases cannot tell
	 */
	public Optional<KeyOccupant> occupant(String job, @Nullable Object... args) {
		return occupant(call(job, args));
	}

	/**
	 * Find out who is there of a key.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call calls the job once
	 * @param <T> the type
	 * @return who is there, or empty if nobody is, or if the job has no lock
	 * @throws IllegalArgumentException if the call cannot be recorded, or is none of a
	 * job
	 * @throws io.locket.JobKeyException if no key can be made of it
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws io.locket.queue.QueueUnavailableException if the queue gives no answer
	 * @throws UnsupportedOperationException if the store of the leases cannot tell
	 * @see #occupant(String, Object...)
	 */
	public <T> Optional<KeyOccupant> occupant(Class<T> type, JobInvocation<? super T> call) {
		return occupant(call(type, call));
	}

	private Optional<KeyOccupant> occupant(Call call) {
		return (call.job().lock() == LockStrategy.NONE) ? Optional.empty()
				: this.occupants.find(call.job(), keyOf(call));
	}

	private JobKey keyOf(Call call) {
		return this.keys.keyOf(call.call(), call.job().keyGenerator(), call.job().maskArguments());
	}

	private Call call(String name, @Nullable Object... args) {
		UniqueJobDefinition job = job(name);
		return call(job, CallArguments.of(job, args));
	}

	private <T> Call call(Class<T> type, JobInvocation<? super T> call) {
		RecordedCall recorded = CallRecorder.record(type, call::call);
		return call(job(recorded), recorded.args());
	}

	private Call call(UniqueJobDefinition job, @Nullable Object[] args) {
		String target = (this.queue != null) ? this.queue : job.queue();
		return new Call(this.catalog.in(job, target), JobCall.of(job.name(), target, job.method(), args));
	}

	/**
	 * A call of a job that goes to a queue.
	 *
	 * @param job the job as it is there
	 * @param call the call
	 */
	private record Call(UniqueJobDefinition job, JobCall call) {

	}

}
