package io.locket.autoconfigure.metrics;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.beans.factory.ObjectProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that record the outcomes of their runs. A direct call with the number zero holds
 * its key until the hold is over.
 */
class JournalWork {

	private final MeterJournal journal;

	private final ObjectProvider<Jobs> jobs;

	private final KeyHold hold;

	JournalWork(MeterJournal journal, ObjectProvider<Jobs> jobs, KeyHold hold) {
		this.journal = journal;
		this.jobs = jobs;
		this.hold = hold;
	}

	@UniqueJob(lock = LockStrategy.NONE, queue = "plain")
	public void plain(int number) {
		end("work.plain", false);
	}

	@UniqueJob(queue = "plain", retries = "2", backoff = "10ms")
	public void flaky(int number) {
		end("work.flaky", JobContext.required("work.flaky").queuedRun().orElseThrow().attempt() == 1);
	}

	@UniqueJob(queue = "plain", retries = "1", backoff = "10ms")
	public void doomed(int number) {
		end("work.doomed", true);
	}

	/**
	 * Fails if another job of the key waits. That job inherits the due time and succeeds.
	 */
	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, key = "#key", queue = "plain", retries = "1", backoff = "10ms")
	public void superseded(int key, int number) {
		if (number > 0) {
			end("work.superseded", false);
			return;
		}
		EnqueueResult result = this.jobs.getObject()
			.enqueue(EnqueueOptions.at(JobContext.required().queuedRun().orElseThrow().enqueuedAt().plusSeconds(3600)),
					"work.superseded", key, number + 1);
		this.journal.note(result, "work.superseded", "plain");
		end("work.superseded", true);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, key = "#key", queue = "later")
	public void once(int key, int number) {
		end("work.once", false);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.RAISE, key = "#key", queue = "later")
	public void strict(int key, int number) {
		end("work.strict", false);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.REPLACE, key = "#key",
			queue = "later")
	public void latest(int key, int number) {
		end("work.latest", false);
	}

	@UniqueJob(key = "#key", onConflict = ConflictStrategy.PARK, queue = "conflicts")
	public void parks(String key, int number) throws InterruptedException {
		hold("work.parks", number);
	}

	@UniqueJob(key = "#key", onConflict = ConflictStrategy.REJECT, queue = "conflicts")
	public void rejects(String key, int number) throws InterruptedException {
		hold("work.rejects", number);
	}

	@UniqueJob(key = "#key", onConflict = ConflictStrategy.RAISE, queue = "conflicts", retries = "1", backoff = "10ms")
	public void raises(String key, int number) throws InterruptedException {
		hold("work.raises", number);
	}

	@UniqueJob(key = "#key", onConflict = ConflictStrategy.RESCHEDULE, rescheduleAfter = "1h", queue = "conflicts")
	public void reschedules(String key, int number) throws InterruptedException {
		hold("work.reschedules", number);
	}

	@UniqueJob
	public void called(int number, boolean fails) {
		end("work.called", fails);
	}

	private void hold(String job, int number) throws InterruptedException {
		if (number == 0) {
			this.hold.hold();
		}
		end(job, false);
	}

	private void end(String job, boolean fails) {
		String queue = JobContext.current()
			.flatMap(JobContext::queuedRun)
			.map((run) -> run.queue())
			.orElse(MeterJournal.DIRECT);
		this.journal.note(fails ? "threw" : "returned", job, queue);
		if (fails) {
			throw new IllegalStateException("on purpose");
		}
	}

	/**
	 * Keys that direct calls hold for a while.
	 */
	static final class KeyHold {

		private final CountDownLatch held;

		private final CountDownLatch over = new CountDownLatch(1);

		KeyHold(int keys) {
			this.held = new CountDownLatch(keys);
		}

		void awaitHeld() throws InterruptedException {
			assertThat(this.held.await(20, TimeUnit.SECONDS)).isTrue();
		}

		void end() {
			this.over.countDown();
		}

		private void hold() throws InterruptedException {
			this.held.countDown();
			assertThat(this.over.await(60, TimeUnit.SECONDS)).isTrue();
		}

	}

}
