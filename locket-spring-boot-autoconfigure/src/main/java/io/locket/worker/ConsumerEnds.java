package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

import io.locket.DuplicateJobException;
import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.queue.EndResult;
import io.locket.queue.JobQueue;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Ends the jobs that consumers have taken. Thread-safe.
 */
final class ConsumerEnds {

	private static final Log logger = LogFactory.getLog(ConsumerEnds.class);

	private static final int BATCH = 100;

	private static final CallBackoff BACKOFF = new CallBackoff(Duration.ofSeconds(2));

	private final JobQueue queue;

	private final HeldRuns runs;

	private final JobHandlers handlers;

	private final ConsumerSettings settings;

	ConsumerEnds(JobQueue queue, HeldRuns runs, JobHandlers handlers, ConsumerSettings settings) {
		this.queue = queue;
		this.runs = runs;
		this.handlers = handlers;
		this.settings = settings;
	}

	JobHandler handler(JobRecord record) {
		return this.handlers.find(record.job())
			.orElseGet(() -> ForeignJobHandler.of(record, this.settings.maskArguments()));
	}

	/**
	 * Tell how an attempt ends that has failed, whatever happens while that is found out.
	 * @param job the job
	 * @param how what to do with the attempt
	 * @return its end
	 */
	RunEnd failed(ReservedJob job, Function<Attempt, RunEnd> how) {
		try {
			return how.apply(new Attempt(job, handler(job.record()), this.settings.retry(), random()));
		}
		catch (RuntimeException | Error ex) {
			return unforeseen(job, ex);
		}
	}

	/**
	 * Tell the end of a job that could not even be tried.
	 * @param job the job
	 * @param failure why
	 * @return the end, a failed attempt
	 */
	RunEnd unforeseen(ReservedJob job, Throwable failure) {
		logger.error("Job " + job.record().id() + " failed in an unforeseen way: report this as a defect", failure);
		return RunEnd.retry(job, this.settings.retry().delay(null, job.record().attempt(), random()),
				ErrorText.of(failure, true));
	}

	private static double random() {
		return ThreadLocalRandom.current().nextDouble();
	}

	/**
	 * Tell why nobody is to run a job here, if that is so.
	 * @param run the job
	 * @return its end, or {@code null} if it is to be run
	 */
	@Nullable RunEnd instead(HeldRun run) {
		ReservedJob job = run.job();
		JobRecord record = job.record();
		if (record.version() > JobRecord.VERSION) {
			String reason = "its record has version " + record.version() + ", and this process knows "
					+ JobRecord.VERSION;
			logger.warn("Job " + record.job() + " (" + record.id() + ") goes back for " + this.settings.deferDelay()
					+ ": " + reason + ". Update this process, or let it not take from that queue");
			return RunEnd.defer(job, this.settings.deferDelay(), reason);
		}
		LeaseHolder holder = job.conflict();
		if (holder != null) {
			JobKey key = Objects.requireNonNull(record.key(), "A job without a key has no conflict");
			return failed(job, (attempt) -> attempt.failed(new DuplicateJobException(key, holder, job.conflictFor())));
		}
		return run.mayStart() ? null : RunEnd.returned(job);
	}

	/**
	 * End a run. While its lease holds, a store that gives no answer is asked again,
	 * whether or not the thread is interrupted. Afterwards nobody renews its leases.
	 * @throws QueueUnavailableException if it is not known what became of the end
	 */
	EndResult end(HeldRun run, RunEnd end) {
		HeldRun.EndedRun ended = run.ended(end);
		boolean interrupted = false;
		List<EndResult> answers = List.of();
		try {
			for (int failures = 0; answers.isEmpty(); failures++) {
				// A store gives up at once on a thread that is still flagged.
				interrupted = Thread.interrupted() || interrupted;
				try {
					answers = this.queue.settle(List.of(ended.end()), null).ends();
				}
				catch (QueueUnavailableException ex) {
					if (ended.isHopeless()) {
						throw ex;
					}
					logger.debug("The end of job " + end.id() + " got no answer and is told again", ex);
					interrupted = pause(failures) || interrupted;
				}
			}
			return answers.get(0);
		}
		finally {
			this.runs.end(List.of(ended), answers);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * End a run that nobody waits for.
	 * @see #tell(List)
	 */
	void endQuietly(HeldRun run, RunEnd end) {
		tell(List.of(run.ended(end)));
	}

	/**
	 * Give back runs that nobody waits for, a hundred at once.
	 * @see #tell(List)
	 */
	void giveBack(List<HeldRun> returned) {
		boolean answered = true;
		for (int from = 0; from < returned.size(); from += BATCH) {
			List<HeldRun.EndedRun> ended = returned.subList(from, Math.min(returned.size(), from + BATCH))
				.stream()
				.map((run) -> run.ended(RunEnd.returned(run.job())))
				.toList();
			if (answered) {
				answered = tell(ended);
			}
			else {
				this.runs.end(ended, List.of());
			}
		}
	}

	/**
	 * Tell ends once. Those that get no answer are not renewed any more, so that their
	 * jobs come back when the leases have expired.
	 * @return whether there was an answer
	 */
	private boolean tell(List<HeldRun.EndedRun> ended) {
		List<EndResult> answers = List.of();
		boolean interrupted = Thread.interrupted();
		try {
			answers = this.queue.settle(ended.stream().map(HeldRun.EndedRun::end).toList(), null).ends();
		}
		catch (RuntimeException ex) {
			logger.warn("The ends of " + ended.size()
					+ " job(s) got no answer; they come back when their leases expire. Look at Redis: " + ex);
		}
		finally {
			this.runs.end(ended, answers);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
		return !answers.isEmpty();
	}

	static boolean pause(int failures) {
		try {
			Thread.sleep(delay(failures).toMillis());
			return false;
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

	/**
	 * Return how long to pause before a call is repeated.
	 * @param failures how often it has failed before
	 */
	static Duration delay(int failures) {
		return BACKOFF.after(failures);
	}

}
