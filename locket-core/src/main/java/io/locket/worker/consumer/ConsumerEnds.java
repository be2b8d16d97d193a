package io.locket.worker.consumer;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.run.Attempt;
import io.locket.worker.run.ForeignJobHandler;
import io.locket.worker.run.HeldRun;
import io.locket.worker.run.HeldRuns;
import io.locket.worker.run.JobHandler;
import io.locket.worker.run.JobHandlers;
import io.locket.worker.run.UnsupportedRecords;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Ends of the jobs that consumers have taken. Thread-safe.
 */
final class ConsumerEnds {

	private static final Log logger = LogFactory.getLog(ConsumerEnds.class);

	private static final int BATCH = 100;

	private final JobQueue queue;

	private final HeldRuns runs;

	private final JobHandlers handlers;

	private final ConsumerSettings settings;

	private final UnsupportedRecords unsupported;

	ConsumerEnds(JobQueue queue, HeldRuns runs, JobHandlers handlers, ConsumerSettings settings,
			LongSupplier nanoTime) {
		this.queue = queue;
		this.runs = runs;
		this.handlers = handlers;
		this.settings = settings;
		this.unsupported = new UnsupportedRecords(settings.deferDelay(), ConsumerEnds::random, nanoTime);
	}

	JobHandler handler(JobRecord record) {
		return this.handlers.find(record.job())
			.orElseGet(() -> ForeignJobHandler.of(record, this.settings.maskArguments()));
	}

	/**
	 * Returns the end of a failed attempt, even if the handler fails.
	 * @param job the job
	 * @param how the function that determines the end of the attempt
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
	 * Returns the end of a job after an unexpected failure outside its body.
	 * @param job the job
	 * @param failure the failure
	 * @return the end, a failed attempt
	 */
	RunEnd unforeseen(ReservedJob job, Throwable failure) {
		logger.error("Job " + job.record().id() + " failed unexpectedly. Report this as a bug", failure);
		return Attempt.failedUnforeseen(job, this.settings.retry(), random(), failure);
	}

	private static double random() {
		return ThreadLocalRandom.current().nextDouble();
	}

	/**
	 * Returns the end of a job that must not run here.
	 * @param run the job
	 * @return its end, or {@code null} if it is to be run
	 */
	@Nullable RunEnd refusal(HeldRun run) {
		ReservedJob job = run.job();
		Optional<RunEnd> deferred = this.unsupported.defer(job);
		if (deferred.isPresent()) {
			return deferred.get();
		}
		if (job.conflict() != null) {
			return failed(job, Attempt::refused);
		}
		return run.mayStart() ? null : RunEnd.returned(job);
	}

	/**
	 * Ends a run. While its lease holds, a call without a reply is repeated, whether or
	 * not the thread is interrupted. Afterwards its leases are no longer renewed.
	 * @throws QueueUnavailableException if the outcome is unknown
	 */
	EndResult end(HeldRun run, RunEnd end) {
		HeldRun.EndedRun ended = run.ended(end);
		UninterruptedCalls calls = new UninterruptedCalls();
		List<EndResult> results = List.of();
		try {
			while (results.isEmpty()) {
				calls.prepare();
				try {
					results = this.queue.settle(List.of(ended.end()), null).ends();
				}
				catch (QueueUnavailableException ex) {
					if (ended.isHopeless()) {
						throw ex;
					}
					logger.debug("The end of job " + end.id() + " got no reply and is sent again", ex);
					calls.pause();
				}
			}
			return results.get(0);
		}
		finally {
			this.runs.end(List.of(ended), results);
			calls.end();
		}
	}

	/**
	 * Ends a run by one call, which is not repeated if it gets no reply.
	 * @see #settleOnce(List)
	 */
	void endOnce(HeldRun run, RunEnd end) {
		settleOnce(List.of(run.ended(end)));
	}

	/**
	 * Returns the jobs of runs to their queues, a hundred with one call. Calls without a
	 * reply are not repeated.
	 * @see #settleOnce(List)
	 */
	void returnAll(List<HeldRun> returned) {
		boolean replied = true;
		for (int from = 0; from < returned.size(); from += BATCH) {
			List<HeldRun.EndedRun> ended = returned.subList(from, Math.min(returned.size(), from + BATCH))
				.stream()
				.map((run) -> run.ended(RunEnd.returned(run.job())))
				.toList();
			if (replied) {
				replied = settleOnce(ended);
			}
			else {
				this.runs.end(ended, List.of());
			}
		}
	}

	/**
	 * Sends ends once. Runs without a reply are no longer renewed, so their jobs return
	 * when the leases expire.
	 * @return whether there was a reply
	 */
	private boolean settleOnce(List<HeldRun.EndedRun> ended) {
		List<EndResult> results = List.of();
		UninterruptedCalls calls = new UninterruptedCalls();
		calls.prepare();
		try {
			results = this.queue.settle(ended.stream().map(HeldRun.EndedRun::end).toList(), null).ends();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The ends of " + ended.size()
					+ " job(s) got no reply. The jobs return to their queues when their leases expire. Check Redis: "
					+ ex);
		}
		finally {
			this.runs.end(ended, results);
			calls.end();
		}
		return !results.isEmpty();
	}

}
