package io.locket.aop;

import java.util.concurrent.CountDownLatch;

import io.locket.JobContext;
import io.locket.job.ReturnKind;
import io.locket.lease.Lease;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The call by which a worker runs a queued job. The first call of that job on the
 * worker's thread proceeds without asking for anything, since the run has its leases.
 * What it calls runs inside the key lease, if the run has one.
 */
public final class QueuedInvocation {

	private static final ThreadLocal<@Nullable QueuedInvocation> CURRENT = new ThreadLocal<>();

	private final String job;

	private final JobContext context;

	private final @Nullable SharedLease keyLease;

	private final CountDownLatch unused = new CountDownLatch(1);

	/**
	 * Create the call of a run.
	 * @param job the name of the job
	 * @param context what the body can know
	 * @param keyLease the lease of the run if it holds the key, else {@code null}
	 */
	public QueuedInvocation(String job, JobContext context, @Nullable Lease keyLease) {
		this.job = job;
		this.context = context;
		this.keyLease = (keyLease != null) ? new SharedLease(keyLease, false, context, this.unused::countDown) : null;
	}

	/**
	 * Call the job on this thread, inside its context. Returns when everything that runs
	 * inside its key lease has ended, also what nested calls have left to other threads.
	 * @param call calls the job and waits for its end
	 * @throws Throwable what it throws
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
	 * An interrupt does not end what others do: it is kept for the caller.
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
	 * Take the call that a worker makes on this thread, once.
	 * @param job the name of the job that is called
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
		 * Call the job and wait for its end.
		 * @throws Throwable what the job throws
		 */
		void run() throws Throwable;

	}

}
