package io.locket.test;

import java.util.Arrays;
import java.util.List;

import io.locket.JobState;
import io.locket.queue.JobRecord;
import io.locket.worker.InlineRun;
import org.jspecify.annotations.Nullable;

/**
 * A run of a queued job by {@link LocketTester#drain}. Immutable.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param arguments the arguments as JSON
 * @param queue the queue
 * @param attempt the number of the attempt, from 1
 * @param state the state of the job after the run
 * @param counted whether the outcome counts; {@code false} if the run had lost a lease
 * @param failure the failure of the body, or {@code null}
 */
public record RanJob(String id, String job, String arguments, String queue, int attempt, @Nullable JobState state,
		boolean counted, @Nullable Throwable failure) {

	static RanJob of(InlineRun run) {
		JobRecord job = run.job();
		return new RanJob(job.id(), job.job(), job.arguments(), job.queue(), job.attempt() + 1, run.result().state(),
				run.result().counted(), run.failure());
	}

	@Override
	public String toString() {
		return this.job + this.arguments + " of queue '" + this.queue + "', attempt " + this.attempt + ": " + this.state
				+ (this.counted ? "" : " (the outcome did not count)")
				+ ((this.failure != null) ? ", failed with " + this.failure : "");
	}

	static String lines(List<?> lines) {
		return lines.isEmpty() ? "  nothing"
				: String.join("\n", Arrays.stream(lines.toArray()).map((line) -> "  " + line).toList());
	}

}
