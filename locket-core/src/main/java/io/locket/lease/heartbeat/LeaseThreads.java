package io.locket.lease.heartbeat;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.log.QuietWarnings;
import org.apache.commons.logging.LogFactory;

/**
 * Threads of the lease engine: daemons that start when there is work and end when there
 * is none. They are no beans, so that no {@code @Scheduled} method can run on them. They
 * outlive the context while a body still holds a lease, and end after the last of their
 * users has released them. Thread-safe.
 */
public final class LeaseThreads {

	private static final int KEEP_ALIVE_SECONDS = 30;

	private static final int NOTIFIERS = 4;

	/**
	 * Maximum number of events that wait for listeners.
	 */
	static final int ROOM = 10_000;

	private static final int INTERRUPTERS = 2;

	private static final int ACTION_THREADS = 16;

	private static final int RETRIES = 8;

	private final QuietWarnings warnings = new QuietWarnings(LogFactory.getLog(LeaseThreads.class), System::nanoTime);

	private final ScheduledExecutorService heartbeat = scheduler("locket-heartbeat-");

	private final ScheduledExecutorService registry = scheduler("locket-registry-");

	private final ScheduledExecutorService watch = scheduler("locket-watch-");

	private final ScheduledExecutorService cleanup = scheduler("locket-cleanup-");

	private final ScheduledExecutorService reports = scheduler("locket-progress-");

	private final ThreadPoolExecutor notifier;

	private final AtomicInteger users = new AtomicInteger();

	private final LossExecutors losses;

	private final ThreadPoolExecutor interrupts = pool(INTERRUPTERS, Integer.MAX_VALUE, "locket-interrupt-",
			new ThreadPoolExecutor.DiscardPolicy());

	private final ThreadPoolExecutor actions = pool(ACTION_THREADS, Integer.MAX_VALUE, "locket-loss-",
			new ThreadPoolExecutor.DiscardPolicy());

	private final ThreadPoolExecutor retries = pool(RETRIES, Integer.MAX_VALUE, "locket-wait-",
			new ThreadPoolExecutor.AbortPolicy());

	private LeaseThreads() {
		this.notifier = pool(NOTIFIERS, ROOM, "locket-notifier-", this::drop);
		this.losses = new LossExecutors(this.interrupts, this.actions, this.notifier);
	}

	private static ThreadPoolExecutor pool(int threads, int capacity, String prefix, RejectedExecutionHandler full) {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(capacity), daemons(prefix), full);
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

	private void drop(Runnable task, ThreadPoolExecutor executor) {
		if (!executor.isShutdown()) {
			this.warnings.warn("listeners", "Listeners block all " + NOTIFIERS + " threads locket-notifier-*, where "
					+ ROOM + " events wait. Further events are dropped. Let the listeners use threads of their own");
		}
	}

	/**
	 * Creates the threads of a process.
	 * @return the threads, none of which has started
	 */
	public static LeaseThreads create() {
		return new LeaseThreads();
	}

	/**
	 * Returns the scheduler of renewals, which a hanging store may block.
	 * @return the scheduler
	 */
	public ScheduledExecutorService heartbeat() {
		return this.heartbeat;
	}

	/**
	 * Returns the scheduler of renewals of the locks of a registry. They are apart from
	 * other renewals, because the application chooses the store and its timeouts.
	 * @return the scheduler
	 */
	public ScheduledExecutorService registry() {
		return this.registry;
	}

	/**
	 * Returns the scheduler of deadlines. Nothing blocks it, unless the process can start
	 * no thread for the loss of a lease.
	 * @return the scheduler
	 */
	public ScheduledExecutorService watch() {
		return this.watch;
	}

	/**
	 * Returns the scheduler of releases without a reply, which a hanging store may block.
	 * @return the scheduler
	 */
	public ScheduledExecutorService cleanup() {
		return this.cleanup;
	}

	/**
	 * Returns the scheduler of progress reports, which a hanging store may block.
	 * @return the scheduler
	 */
	ScheduledExecutorService reports() {
		return this.reports;
	}

	/**
	 * Returns the executor of events that do not happen on threads of the application.
	 * Listeners may block its few threads. An event is dropped while {@value #ROOM}
	 * others wait, with a warning, and after the end of the threads.
	 * @return the executor
	 */
	public ThreadPoolExecutor notifier() {
		return this.notifier;
	}

	/**
	 * Returns the executors for the loss of a lease.
	 * @return the executors for the loss of a lease
	 */
	public LossExecutors losses() {
		return this.losses;
	}

	/**
	 * Returns the executor of repeated attempts of asynchronous waits, which a hanging
	 * store may block.
	 * @return the executor of repeated attempts of asynchronous waits, which a hanging
	 * store may block
	 */
	public Executor retries() {
		return this.retries;
	}

	/**
	 * Registers a user, which must call {@link #release()} once.
	 */
	public void retain() {
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
	 * Releases the threads for one user. After the last one all threads end. Losses that
	 * were noticed before are still published.
	 */
	public void release() {
		if (this.users.decrementAndGet() > 0) {
			return;
		}
		this.heartbeat.shutdownNow();
		this.registry.shutdownNow();
		this.watch.shutdownNow();
		this.cleanup.shutdownNow();
		this.reports.shutdownNow();
		this.notifier.shutdown();
		this.interrupts.shutdown();
		this.actions.shutdown();
		this.retries.shutdown();
	}

}
