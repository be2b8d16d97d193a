package io.locket.worker;

import java.time.Duration;
import java.util.Optional;

import io.locket.queue.JobRecord;
import io.locket.queue.RunEnd;
import org.jspecify.annotations.Nullable;

/**
 * Handlers that remember what the attempt failed with that one thread makes with them:
 * the queue keeps the text of it only.
 */
final class FailureWatch implements JobHandlers {

	private final JobHandlers handlers;

	private @Nullable Throwable failure;

	FailureWatch(JobHandlers handlers) {
		this.handlers = handlers;
	}

	@Override
	public Optional<JobHandler> find(String job) {
		return this.handlers.find(job).map(Watched::new);
	}

	void failed(Throwable failure) {
		this.failure = failure;
	}

	/**
	 * Return what an attempt has failed with, or {@code null} if it has ended otherwise.
	 */
	@Nullable Throwable failureOf(RunEnd end) {
		return (end.kind() == RunEnd.Kind.RETRY || end.kind() == RunEnd.Kind.DEAD) ? this.failure : null;
	}

	/**
	 * A handler is asked about each failure of an attempt, but for those of its own
	 * reading.
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
