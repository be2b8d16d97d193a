package io.locket.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Check of a connection on which a command has timed out, or which leads to a server that
 * has become a replica. The connection is renewed only if its problem stays while a new
 * connection works. Neither a slow script nor a hanging server leads to a renewal, nor
 * does a replica without another master. It costs nothing while commands succeed.
 * Thread-safe.
 */
final class ConnectionWatch implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ConnectionWatch.class);

	/**
	 * Interval within which further renewals are spread by a back-off.
	 */
	private static final long RECENT_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final Target target;

	private final LongSupplier nanoTime;

	private final AtomicBoolean running = new AtomicBoolean();

	private volatile @Nullable Thread thread;

	private volatile boolean closed;

	private @Nullable Long renewedAt;

	private BackOffExecution renewals = backOff(Duration.ofSeconds(1), Duration.ofSeconds(30));

	/**
	 * Creates a watch.
	 * @param target the connection
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	ConnectionWatch(Target target, LongSupplier nanoTime) {
		this.target = target;
		this.nanoTime = nanoTime;
	}

	private static BackOffExecution backOff(Duration first, Duration longest) {
		ExponentialBackOff backOff = new ExponentialBackOff(first.toMillis(), 2);
		backOff.setMaxInterval(longest.toMillis());
		backOff.setJitter(first.toMillis() / 2);
		return backOff.start();
	}

	/**
	 * Starts a check in the background after a command has failed, unless one runs.
	 */
	void suspect() {
		if (!this.closed && this.running.compareAndSet(false, true)) {
			Thread check = new Thread(this::run, "locket-connection-check");
			check.setDaemon(true);
			this.thread = check;
			try {
				check.start();
			}
			catch (RuntimeException | Error ex) {
				this.running.set(false);
				throw ex;
			}
		}
	}

	boolean isChecking() {
		return this.running.get();
	}

	private void run() {
		try {
			check();
		}
		catch (RuntimeException | Error ex) {
			if (!this.closed) {
				logger.error("The check of a connection failed unexpectedly. Report this as a bug", ex);
			}
		}
		finally {
			this.running.set(false);
		}
	}

	private void check() {
		BackOffExecution pauses = backOff(Duration.ofMillis(250), Duration.ofSeconds(2));
		Refusal refusal = new Refusal();
		long startedAt = this.nanoTime.getAsLong();
		Problem problem = this.target.problem();
		while (!this.closed && problem != null) {
			if (newConnectionWorks(problem, refusal)) {
				spread();
				problem = this.target.problem();
				if (problem != null) {
					renew(problem, Duration.ofNanos(this.nanoTime.getAsLong() - startedAt));
				}
				return;
			}
			pause(pauses.nextBackOff());
			problem = this.target.problem();
		}
	}

	private boolean newConnectionWorks(Problem problem, Refusal refusal) {
		try {
			this.target.callOnNewConnection(problem);
			return true;
		}
		catch (RuntimeException ex) {
			RedisFailure failure = RedisFailure.of(ex);
			refusal.log(failure);
			logger.debug("A new connection does not work either", ex);
			return failure.kind() == RedisFailure.Kind.PERMISSION;
		}
	}

	private void spread() {
		Long last = this.renewedAt;
		if (last == null || this.nanoTime.getAsLong() - last > RECENT_NANOS) {
			this.renewals = backOff(Duration.ofSeconds(1), Duration.ofSeconds(30));
			return;
		}
		pause(this.renewals.nextBackOff());
	}

	private void renew(Problem problem, Duration duration) {
		if (this.closed) {
			return;
		}
		this.renewedAt = this.nanoTime.getAsLong();
		logger.warn("A connection to Redis " + problem.text + " for " + duration.toMillis()
				+ " ms while a new connection works. Locket closes its connections and opens new ones");
		this.target.renew();
	}

	private void pause(long millis) {
		if (!this.closed) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
		}
	}

	/**
	 * Ends a check that runs, and starts no other one. Waits a short time for a
	 * connection that is being opened.
	 */
	@Override
	public void close() {
		this.closed = true;
		BackgroundThreads.awaitEnd(this.thread);
	}

	/**
	 * Problem of a connection.
	 */
	enum Problem {

		/**
		 * There is no reply within the command timeout.
		 */
		SILENT("got no reply"),

		/**
		 * The server is a replica, which refuses writes.
		 */
		REPLICA("led to a replica");

		private final String text;

		Problem(String text) {
			this.text = text;
		}

	}

	/**
	 * A connection that may be unusable.
	 */
	interface Target {

		/**
		 * Sends a command that writes on the connection.
		 * @return the problem of the connection, or {@code null} if it got a reply within
		 * the command timeout, and not that of a replica
		 */
		@Nullable Problem problem();

		/**
		 * Opens another connection, sends a command on it that fails if it has the same
		 * problem, and closes it.
		 * @param problem the problem
		 * @throws RuntimeException if there was no reply, or an error
		 */
		void callOnNewConnection(Problem problem);

		/**
		 * Replaces the connection.
		 */
		void renew();

	}

	/**
	 * The refusal of a new connection, which is logged once.
	 */
	private static final class Refusal {

		private boolean logged;

		private void log(RedisFailure failure) {
			if (!this.logged && failure.kind() != RedisFailure.Kind.NO_REPLY
					&& failure.kind() != RedisFailure.Kind.PERMISSION) {
				this.logged = true;
				logger.warn("Commands fail, and a new connection does not work either. "
						+ failure.message("use a new connection"));
			}
		}

	}

}
