package io.locket.lease;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of the lease engine: daemons that start when there is work and end when
 * there is none. They are no beans, so that no {@code @Scheduled} method can end up on
 * them, and they outlive the context while a body still holds a lease: they end when all
 * who use them are done.
 */
public final class LeaseThreads {

	private static final int KEEP_ALIVE_SECONDS = 30;

	private static final int NOTIFIERS = 4;

	private final ScheduledExecutorService heartbeat = scheduler("locket-heartbeat-");

	private final ScheduledExecutorService watch = scheduler("locket-watch-");

	private final ScheduledExecutorService cleanup = scheduler("locket-cleanup-");

	private final ScheduledExecutorService reports = scheduler("locket-progress-");

	private final ThreadPoolExecutor notifier;

	private final AtomicInteger users = new AtomicInteger();

	private LeaseThreads() {
		this.notifier = new ThreadPoolExecutor(NOTIFIERS, NOTIFIERS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), daemons("locket-notifier-"), new ThreadPoolExecutor.DiscardPolicy());
		this.notifier.allowCoreThreadTimeOut(true);
	}

	/**
	 * Create the threads of a process.
	 * @return the threads, none of which has started
	 */
	public static LeaseThreads create() {
		return new LeaseThreads();
	}

	/**
	 * Return what renews leases; a store that hangs holds it up.
	 * @return the scheduler
	 */
	public ScheduledExecutorService heartbeat() {
		return this.heartbeat;
	}

	/**
	 * Return what looks after deadlines; nothing holds it up.
	 * @return the scheduler
	 */
	public ScheduledExecutorService watch() {
		return this.watch;
	}

	/**
	 * Return what gives back what the store did not answer for; a store that hangs holds
	 * it up.
	 * @return the scheduler
	 */
	ScheduledExecutorService cleanup() {
		return this.cleanup;
	}

	/**
	 * Return what tells the store how far runs are; a store that hangs holds it up.
	 * @return the scheduler
	 */
	ScheduledExecutorService reports() {
		return this.reports;
	}

	/**
	 * Return what tells of what happened on other threads than those of the application.
	 * After the end there is nobody left to be told.
	 * @return the executor
	 */
	public ThreadPoolExecutor notifier() {
		return this.notifier;
	}

	/**
	 * Become a user, who has to call {@link #release()} once.
	 */
	void retain() {
		this.users.incrementAndGet();
	}

	private static ScheduledExecutorService scheduler(String prefix) {
		ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, daemons(prefix));
		scheduler.setKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
		scheduler.allowCoreThreadTimeOut(true);
		scheduler.setRemoveOnCancelPolicy(true);
		return scheduler;
	}

	private static ThreadFactory daemons(String prefix) {
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			Thread thread = new Thread(task, prefix + number.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		};
	}

	/**
	 * Stop being a user. After the last one all threads end; losses that were noticed
	 * before are still told.
	 */
	void release() {
		if (this.users.decrementAndGet() > 0) {
			return;
		}
		this.heartbeat.shutdownNow();
		this.watch.shutdownNow();
		this.cleanup.shutdownNow();
		this.reports.shutdownNow();
		this.notifier.shutdown();
	}

}
