package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import org.jspecify.annotations.Nullable;

/**
 * Step of a random program. It is valid in every situation or does nothing, so a program
 * stays valid when steps are left out.
 */
sealed interface QueueStep {

	/**
	 * Enqueues jobs, for the first time or again.
	 */
	record Enqueue(List<NewJob> jobs) implements QueueStep {

		@Override
		public String toString() {
			return this.jobs.stream().map(Enqueue::text).collect(Collectors.joining(", ", "enqueue ", ""));
		}

		private static String text(NewJob job) {
			StringBuilder text = new StringBuilder(job.id()).append(" in ").append(job.queue());
			if (job.lock() != LockStrategy.NONE) {
				text.append(' ').append(job.lock()).append('(').append(job.key().text()).append(") ");
				text.append(job.onDuplicate()).append('/').append(job.onConflict());
			}
			append(text, "after", job.start().delay());
			append(text, "unique for", job.uniqueFor());
			append(text, "held at least", job.holdAtLeast().isZero() ? null : job.holdAtLeast());
			append(text, "delayed at most", job.maxDelay());
			return text.append(" retries ").append(job.retries()).toString();
		}

		private static void append(StringBuilder text, String name, @Nullable Duration duration) {
			if (duration != null) {
				text.append(' ').append(name).append(' ').append(duration.toMillis()).append(" ms");
			}
		}

	}

	/**
	 * Reservation by a worker.
	 *
	 * @param lost whether the reply is lost
	 */
	record Reserve(String poller, Wish wish, boolean lost) implements QueueStep {

	}

	/**
	 * Contents of a reservation request.
	 */
	record Wish(String id, int slots, List<QueueLimit> queues, Set<String> leavesOut) {

		ReservationRequest by(String poller) {
			return new ReservationRequest(this.id, poller, "instance-" + poller, "thread-" + poller, this.queues,
					this.slots, this.leavesOut);
		}

		@Override
		public String toString() {
			return this.queues.stream()
				.map((limit) -> limit.queue() + ((limit.maxRunning() > 0) ? "(max " + limit.maxRunning() + ")" : ""))
				.collect(Collectors.joining(", ", this.id + " of " + this.slots + " from ",
						this.leavesOut.isEmpty() ? "" : " but " + this.leavesOut));
		}

	}

	/**
	 * Ends of some of the runs that a worker believes to hold, oldest first.
	 */
	record Settle(String poller, int runs, RunEnd.Kind kind, Duration delay, @Nullable Wish next) implements QueueStep {

	}

	/**
	 * Repetition of the last call of a worker.
	 */
	record Repeat(String poller) implements QueueStep {

	}

	/**
	 * Renewal of the leases of all runs that a worker believes to hold.
	 */
	record Renew(String poller) implements QueueStep {

	}

	/**
	 * Death of a worker, which loses its runs.
	 */
	record Die(String poller) implements QueueStep {

	}

	/**
	 * Cancellation of a job.
	 */
	record Cancel(String id) implements QueueStep {

	}

	/**
	 * Bulk action on jobs, with or without their expected state.
	 */
	record Update(UpdateAction.Kind kind, @Nullable String queue, Duration in, String id,
			List<ExpectedJob> jobs) implements QueueStep {

		/**
		 * Returns the action at a time of the store.
		 */
		UpdateAction action(Instant now) {
			return new UpdateAction(this.kind, this.queue,
					(this.kind == UpdateAction.Kind.RESCHEDULE) ? now.plus(this.in) : null, this.id);
		}

		@Override
		public String toString() {
			return this.jobs.stream()
				.map((job) -> job.id() + (job.states().isEmpty() ? "" : " if " + job.states())
						+ ((job.queue() != null) ? " in " + job.queue() : "")
						+ ((job.arguments() != null) ? " with " + job.arguments() : ""))
				.collect(Collectors.joining(", ", this.kind + " ",
						((this.queue != null) ? " to " + this.queue : "") + " in " + this.in));
		}

	}

	/**
	 * Requeueing of dead letters, for the first time or again.
	 */
	record RequeueAll(List<RequeuedJob> letters) implements QueueStep {

		@Override
		public String toString() {
			return this.letters.stream()
				.map((letter) -> letter.id() + " as " + letter.newId())
				.collect(Collectors.joining(", ", "put back ", ""));
		}

	}

	/**
	 * Pause or resumption of a queue.
	 */
	record Pause(String queue, boolean paused) implements QueueStep {

	}

	/**
	 * Removal of a queue.
	 */
	record Remove(String queue) implements QueueStep {

	}

	/**
	 * Acquisition of a key by a foreign owner, regardless of its holder.
	 */
	record TakeForeign(JobKey key, Duration period) implements QueueStep {

	}

	/**
	 * Releases of a key by a foreign owner, without a notification.
	 */
	record ReleaseForeign(JobKey key) implements QueueStep {

	}

	/**
	 * Claim of the period of a key by a direct call.
	 */
	record Claim(JobKey key, Duration period) implements QueueStep {

	}

	/**
	 * Passage of time.
	 */
	record Advance(Duration duration) implements QueueStep {

	}

}
