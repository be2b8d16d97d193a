package io.locket.aop;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.aop.call.SharedLease;
import io.locket.aop.call.ThreadLeases;
import io.locket.job.definition.ReturnKind;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.lease.Lease;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Call by which a worker runs a queued job. The first call of that job on the worker's
 * thread proceeds without a lease of its own, because the run has its leases. Calls of
 * its key inside it run inside the run, if the run holds the key.
 */
public final class QueuedInvocation {

	private static final Log logger = LogFactory.getLog(QueuedInvocation.class);

	private static final ThreadLocal<@Nullable QueuedInvocation> CURRENT = new ThreadLocal<>();

	private final String job;

	private final JobContext context;

	private final @Nullable SharedLease keyLease;

	private final @Nullable JobKey key;

	private final Supplier<@Nullable Object[]> arguments;

	private final CountDownLatch unused = new CountDownLatch(1);

	private @Nullable MethodInvocation failed;

	/**
	 * Creates the call of a run.
	 * @param job the name of the job
	 * @param context the context of the body
	 * @param keyLease the lease of the run if that holds the key, or the claim of a
	 * period, else {@code null}
	 */
	public QueuedInvocation(String job, JobContext context, @Nullable Lease keyLease) {
		this(job, context, keyLease, null, () -> new Object[0]);
	}

	/**
	 * Creates the call of a run by code that may also call the job for other keys.
	 * @param job the name of the job
	 * @param context the context of the body
	 * @param keyLease the lease of the run if that holds the key, or the claim of a
	 * period, else {@code null}
	 * @param key the key of the run, or {@code null} if it has none. A guarded call with
	 * another key is not the call of the run, unless the arguments of the run have that
	 * key by now, because the job was renamed or is in another queue than its own
	 * @param arguments reads the arguments of the run
	 */
	public QueuedInvocation(String job, JobContext context, @Nullable Lease keyLease, @Nullable JobKey key,
			Supplier<@Nullable Object[]> arguments) {
		this.job = job;
		this.context = context;
		this.key = key;
		this.arguments = arguments;
		this.keyLease = (keyLease != null) ? new SharedLease(keyLease, context, this.unused::countDown) : null;
	}

	/**
	 * Calls the job on this thread, inside its context. Returns after everything inside
	 * its key lease has ended, including work that nested calls left to other threads.
	 * @param call calls the job and waits for its end
	 * @throws Throwable the failure of the call
	 */
	public void run(Call call) throws Throwable {
		JobContext previous = JobContext.enter(this.context);
		CURRENT.set(this);
		try {
			if (this.keyLease == null) {
				call.run();
			}
			else {
				runInside(call, this.keyLease);
			}
		}
		finally {
			CURRENT.remove();
			JobContext.enter(previous);
		}
	}

	private void runInside(Call call, SharedLease lease) throws Throwable {
		ThreadLeases.enter(lease);
		try {
			call.run();
		}
		finally {
			ThreadLeases.leave(lease);
			lease.release();
			// A transaction that is open here began before this run and ends after it.
			TransactionEnd.runNow(lease);
			awaitOthers();
		}
	}

	/**
	 * Waits for the other users of the lease. An interrupt does not end the wait and is
	 * kept for the caller.
	 */
	private void awaitOthers() {
		boolean interrupted = false;
		while (this.unused.getCount() > 0) {
			try {
				this.unused.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Takes the call that a worker makes on this thread. After it has failed, the same
	 * call can be taken again, because an outer advisor, such as that of
	 * {@code @Retryable}, may repeat it.
	 * @param job the called job
	 * @param invocation the invocation of its method
	 * @param keys makes the key of the called job from arguments
	 * @return the call, or {@code null} if no worker calls that job
	 */
	static @Nullable QueuedInvocation take(UniqueJobDefinition job, MethodInvocation invocation,
			Function<@Nullable Object[], JobKey> keys) {
		QueuedInvocation current = CURRENT.get();
		if (current == null || !current.job.equals(job.name()) || !current.accepts(invocation)
				|| (job.lock().guardsDirectCalls() && !current.hasKey(invocation, keys))) {
			return null;
		}
		CURRENT.remove();
		return current;
	}

	private boolean hasKey(MethodInvocation invocation, Function<@Nullable Object[], JobKey> keys) {
		if (this.key == null) {
			return true;
		}
		JobKey called = keys.apply(invocation.getArguments());
		if (called.equals(this.key)) {
			return true;
		}
		JobKey own = keyOfArguments(keys);
		return own != null && called.equals(own);
	}

	/**
	 * Returns the key that a call with the arguments of the run has, or {@code null} if
	 * they do not fit the method.
	 */
	private @Nullable JobKey keyOfArguments(Function<@Nullable Object[], JobKey> keys) {
		try {
			return keys.apply(this.arguments.get());
		}
		catch (RuntimeException ex) {
			logger.debug("The arguments of the run of job " + this.job + " have no key: " + ex.getClass().getName());
			return null;
		}
	}

	private boolean accepts(MethodInvocation invocation) {
		MethodInvocation first = this.failed;
		return first == null || (first.getThis() == invocation.getThis()
				&& Arrays.equals(first.getArguments(), invocation.getArguments()));
	}

	@Nullable Object proceed(MethodInvocation invocation, ReturnKind returns) throws Throwable {
		Object result;
		try {
			result = invocation.proceed();
		}
		catch (Throwable ex) {
			this.failed = invocation;
			CURRENT.set(this);
			throw ex;
		}
		return (result != null && returns.isReactive()) ? QueuedPublisher.inside(result, this.context, this.keyLease)
				: result;
	}

	/**
	 * Calls a job.
	 */
	@FunctionalInterface
	public interface Call {

		/**
		 * Calls the job and waits for its end.
		 * @throws Throwable the failure of the job
		 */
		void run() throws Throwable;

	}

}
