package io.locket.worker.consumer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.lease.heartbeat.RunLease;
import io.locket.log.MaskedFailureException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Loss of a taken job: that of its lease, a recall, or an end that did not count. Runs
 * each loss action once. Thread-safe.
 */
final class ConsumedJobLoss {

	private static final Log logger = LogFactory.getLog(ConsumedJobLoss.class);

	private final RunLease lease;

	private final boolean masked;

	private boolean taken;

	private List<Runnable> actions = new ArrayList<>();

	/**
	 * Creates an instance.
	 * @param lease the lease of the job, which runs the actions when it is lost
	 * @param masked whether to keep the messages of failed actions out of the log
	 */
	ConsumedJobLoss(RunLease lease, boolean masked) {
		this.lease = lease;
		this.masked = masked;
	}

	/**
	 * Returns whether the job was taken away, whatever its lease knows.
	 */
	synchronized boolean isTakenAway() {
		return this.taken;
	}

	/**
	 * Runs an action when the job is lost, or at once if it is.
	 */
	void onLost(Runnable action) {
		AtomicBoolean done = new AtomicBoolean();
		Runnable once = () -> {
			if (done.compareAndSet(false, true)) {
				action.run();
			}
		};
		this.lease.onLost(once);
		synchronized (this) {
			if (!this.taken) {
				this.actions.add(once);
				return;
			}
		}
		runSafely(once);
	}

	/**
	 * Takes the job away.
	 * @return the actions to run, which must not be run under a lock
	 */
	synchronized Runnable takeAway() {
		this.taken = true;
		List<Runnable> pending = this.actions;
		this.actions = new ArrayList<>();
		return () -> pending.forEach(this::runSafely);
	}

	private void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Lease-loss callback of a taken job failed. Other callbacks still run. Fix the callback",
					MaskedFailureException.of(ex, this.masked));
		}
	}

}
