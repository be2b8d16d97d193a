package io.locket.worker.run;

import java.time.Duration;
import java.util.Optional;

import io.locket.queue.JobRecord;
import io.locket.queue.spi.RunEnd;
import org.jspecify.annotations.Nullable;

/**
 * Handlers that keep the failure of the last attempt made with them, of which the queue
 * stores only the text. Used by one thread at a time.
 */
public final class FailureWatch implements JobHandlers {

	private final JobHandlers handlers;

	private @Nullable Throwable failure;

	public FailureWatch(JobHandlers handlers) {
		this.handlers = handlers;
	}

	@Override
	public Optional<JobHandler> find(String job) {
		return this.handlers.find(job).map(Watched::new);
	}

	public void failed(Throwable failure) {
		this.failure = failure;
	}

	/**
	 * Returns the failure of the last attempt.
	 * @param end the end of the attempt
	 * @return the failure of an attempt, or {@code null} if it did not fail
	 */
	public @Nullable Throwable failureOf(RunEnd end) {
		return (end.kind() == RunEnd.Kind.RETRY || end.kind() == RunEnd.Kind.DEAD) ? this.failure : null;
	}

	/**
	 * Handler that keeps failures. It is called for each failure of an attempt, except
	 * for failures to read the arguments.
	 */
	private final class Watched implements JobHandler {

		private final JobHandler handler;

		Watched(JobHandler handler) {
			this.handler = handler;
		}

		@Override
		public String job() {
			return this.handler.job();
		}

		@Override
		public boolean maskArguments() {
			return this.handler.maskArguments();
		}

		@Override
		public @Nullable Duration backoff() {
			return this.handler.backoff();
		}

		@Override
		public @Nullable Duration timeout() {
			return this.handler.timeout();
		}

		@Override
		public boolean isFinal(Throwable failure) {
			failed(failure);
			return this.handler.isFinal(failure);
		}

		@Override
		public @Nullable Object[] arguments(JobRecord job) {
			return this.handler.arguments(job);
		}

		@Override
		public Body bind(JobRecord job) {
			try {
				return this.handler.bind(job);
			}
			catch (RuntimeException | Error ex) {
				failed(ex);
				throw ex;
			}
		}

	}

}
