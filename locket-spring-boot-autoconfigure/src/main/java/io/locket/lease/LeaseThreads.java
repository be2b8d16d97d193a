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
 * them, and they outlive the context while a body still holds a lease.
 *
 * @param heartbeat renews leases; a store that hangs holds it up
 * @param watch looks after local deadlines; nothing holds it up
 * @param cleanup gives back what the store did not answer for; a store that hangs holds
 * it up
 * @param notifier tells of what happened on other threads than those of the application;
 * after the end there is nobody left to be told
 */
public record LeaseThreads(ScheduledExecutorService heartbeat, ScheduledExecutorService watch,
		ScheduledExecutorService cleanup, ThreadPoolExecutor notifier) {

	private static final int KEEP_ALIVE_SECONDS = 30;

	private static final int NOTIFIERS = 4;

	/**
	 * Create the threads of a process.
	 * @return the threads, none of which has started
	 */
	public static LeaseThreads create() {
		ThreadPoolExecutor notifier = new ThreadPoolExecutor(NOTIFIERS, NOTIFIERS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), daemons("locket-notifier-"), new ThreadPoolExecutor.DiscardPolicy());
		notifier.allowCoreThreadTimeOut(true);
		return new LeaseThreads(scheduler("locket-heartbeat-"), scheduler("locket-watch-"),
				scheduler("locket-cleanup-"), notifier);
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
	 * End all threads; losses that were noticed before are still told.
	 */
	void shutdown() {
		this.heartbeat.shutdownNow();
		this.watch.shutdownNow();
		this.cleanup.shutdownNow();
		this.notifier.shutdown();
	}

}
