package io.locket.queue.memory;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.queue.JobSighting;
import io.locket.queue.NewJob;
import io.locket.queue.PutBack;
import io.locket.queue.ReservationRequest;
import io.locket.queue.ReservationRequest.QueueLimit;
import io.locket.queue.RunEnd;
import io.locket.queue.SteerAction;
import org.jspecify.annotations.Nullable;

/**
 * A step of a random program. It means something in every situation, or does nothing, so
 * that a program stays one when steps are left out.
 */
sealed interface QueueStep {

	/**
	 * Enqueue jobs, for the first time or again.
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
	 * Let a worker reserve.
	 *
	 * @param lost whether its answer does not arrive
	 */
	record Reserve(String lane, Wish wish, boolean lost) implements QueueStep {

	}

	/**
	 * What is asked for with a reservation.
	 */
	record Wish(String id, int slots, List<QueueLimit> queues) {

		ReservationRequest by(String lane) {
			return new ReservationRequest(this.id, lane, "instance-" + lane, "thread-" + lane, this.queues, this.slots);
		}

		@Override
		public String toString() {
			return this.queues.stream()
				.map((limit) -> limit.queue() + ((limit.maxRunning() > 0) ? "(max " + limit.maxRunning() + ")" : ""))
				.collect(Collectors.joining(", ", this.id + " of " + this.slots + " from ", ""));
		}

	}

	/**
	 * Let a worker end some of the runs that it believes to have, oldest first.
	 */
	record Settle(String lane, int runs, RunEnd.Kind kind, Duration delay, @Nullable Wish next) implements QueueStep {

	}

	/**
	 * Let a worker repeat its last call.
	 */
	record Repeat(String lane) implements QueueStep {

	}

	/**
	 * Let a worker renew the leases of all runs that it believes to have.
	 */
	record Renew(String lane) implements QueueStep {

	}

	/**
	 * Let a worker die: it forgets its runs.
	 */
	record Die(String lane) implements QueueStep {

	}

	/**
	 * Cancel a job.
	 */
	record Cancel(String id) implements QueueStep {

	}

	/**
	 * Steer some jobs, as they were seen or whatever they are.
	 */
	record Steer(SteerAction action, List<JobSighting> jobs) implements QueueStep {

		@Override
		public String toString() {
			return this.jobs.stream()
				.map((job) -> job.id() + (job.states().isEmpty() ? "" : " if " + job.states())
						+ ((job.queue() != null) ? " in " + job.queue() : "")
						+ ((job.arguments() != null) ? " with " + job.arguments() : ""))
				.collect(Collectors.joining(", ", this.action.kind() + " ",
						(this.action.queue() != null) ? " to " + this.action.queue() : ""));
		}

	}

	/**
	 * Put dead letters back, for the first time or again.
	 */
	record PutBackAll(List<PutBack> letters) implements QueueStep {

		@Override
		public String toString() {
			return this.letters.stream()
				.map((letter) -> letter.id() + " as " + letter.newId())
				.collect(Collectors.joining(", ", "put back ", ""));
		}

	}

	/**
	 * Pause or resume a queue.
	 */
	record Pause(String queue, boolean paused) implements QueueStep {

	}

	/**
	 * Remove a queue.
	 */
	record Remove(String queue) implements QueueStep {

	}

	/**
	 * Let somebody else take a key, from whoever has it.
	 */
	record TakeForeign(JobKey key, Duration period) implements QueueStep {

	}

	/**
	 * Let somebody else release a key, without telling.
	 */
	record ReleaseForeign(JobKey key) implements QueueStep {

	}

	/**
	 * Let a direct call claim the period of a key.
	 */
	record Claim(JobKey key, Duration period) implements QueueStep {

	}

	/**
	 * Let time pass.
	 */
	record Advance(Duration duration) implements QueueStep {

	}

}
