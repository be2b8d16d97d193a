package io.locket.observation;

import java.time.Instant;
import java.util.Optional;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.QueuedRun;
import org.jspecify.annotations.Nullable;

/**
 * Context of a run that does not take place.
 */
public record TestRun(JobKey key, @Nullable QueuedRun run) implements JobContext {

	/**
	 * Creates a direct call.
	 * @param job the name of the job
	 * @param text the text of its key
	 * @return its context
	 */
	public static TestRun direct(String job, String text) {
		return new TestRun(new JobKey(job, "digest", text), null);
	}

	/**
	 * Creates the second attempt of a queued job.
	 * @param job the name of the job
	 * @param text the text of its key
	 * @return its context
	 */
	public static TestRun queued(String job, String text) {
		return new TestRun(new JobKey(job, "digest", text),
				new QueuedRun("id-1", job, "invoices", 2, Instant.EPOCH, Instant.EPOCH, null));
	}

	@Override
	public long fencingToken() {
		return 1;
	}

	@Override
	public Instant since() {
		return Instant.EPOCH;
	}

	@Override
	public @Nullable LeaseLossCause lossCause() {
		return null;
	}

	@Override
	public Optional<QueuedRun> queuedRun() {
		return Optional.ofNullable(this.run);
	}

	@Override
	public void onLeaseLost(Runnable action) {
		throw new UnsupportedOperationException();
	}

}
