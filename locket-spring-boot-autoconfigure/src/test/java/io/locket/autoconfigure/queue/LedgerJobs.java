package io.locket.autoconfigure.queue;

import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.QueuedRun;
import io.locket.UniqueJob;
import io.locket.event.LeaseLost;

import org.springframework.context.event.EventListener;

/**
 * Short jobs that a {@link Ledger} records. The first attempt of some queued jobs fails.
 */
class LedgerJobs {

	private final Ledger ledger;

	LedgerJobs(Ledger ledger) {
		this.ledger = ledger;
	}

	@UniqueJob(name = "work.run", lock = LockStrategy.WHILE_EXECUTING)
	public void run(int key) {
		body(JobContext.required("work.run"), "run" + key);
	}

	@UniqueJob(name = "work.again", lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING)
	public void again(int key) {
		body(JobContext.required("work.again"), "again" + key);
	}

	@UniqueJob(name = "work.once", lock = LockStrategy.UNTIL_EXECUTED)
	public void once(int key) {
		body(JobContext.required("work.once"), "once" + key);
	}

	private void body(JobContext context, String key) {
		this.ledger.begin(key);
		try {
			String id = context.queuedRun().map(QueuedRun::id).orElse(null);
			if (id == null) {
				this.ledger.directCalls.incrementAndGet();
			}
			else if (this.ledger.ran.add(id) && id.hashCode() % 8 == 0) {
				throw new FirstAttemptException();
			}
		}
		finally {
			this.ledger.end(key);
		}
	}

	@EventListener
	void onLoss(LeaseLost event) {
		this.ledger.lost.incrementAndGet();
	}

	/**
	 * Failure without a stack trace, because each one is logged.
	 */
	private static final class FirstAttemptException extends RuntimeException {

		FirstAttemptException() {
			super("the first attempt fails", null, false, false);
		}

	}

}
