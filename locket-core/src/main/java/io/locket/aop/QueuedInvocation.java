package io.locket.aop;

import java.util.concurrent.CountDownLatch;

import io.locket.JobContext;
import io.locket.aop.call.SharedLease;
import io.locket.aop.call.ThreadLeases;
import io.locket.job.definition.ReturnKind;
import io.locket.lease.Lease;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Call by which a worker runs a queued job. The first call of that job on the worker's
 * thread proceeds without a lease of its own, because the run has its leases. Calls
 * inside it run inside the key lease, if the run has one.
 */
public final class QueuedInvocation {

	private static final ThreadLocal<@Nullable QueuedInvocation> CURRENT = new ThreadLocal<>();

	private final String job;

	private final JobContext context;

	private final @Nullable SharedLease keyLease;

	private final CountDownLatch unused = new CountDownLatch(1);

	/**
	 * Creates the call of a run.
	 * @param job the name of the job
	 * @param context the context of the body
	 * @param keyLease the lease of the run if it holds the key, or {@code null}
	 */
	public QueuedInvocation(String job, JobContext context, @Nullable Lease keyLease) {
		this.job = job;
		this.context = context;
		this.keyLease = (keyLease != null) ? new SharedLease(keyLease, false, context, this.unused::countDown) : null;
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
	 * Takes the call that a worker makes on this thread, once.
	 * @param job the name of the called job
	 * @return the call, or {@code null} if no worker calls that job
	 */
	static @Nullable QueuedInvocation take(String job) {
		QueuedInvocation current = CURRENT.get();
		if (current == null || !current.job.equals(job)) {
			return null;
		}
		CURRENT.remove();
		return current;
	}

	@Nullable Object proceed(MethodInvocation invocation, ReturnKind returns) throws Throwable {
		Object result = invocation.proceed();
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
