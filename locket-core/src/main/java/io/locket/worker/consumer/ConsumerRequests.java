package io.locket.worker.consumer;

import java.util.Set;
import java.util.function.Consumer;

import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.consumer.ConsumerPoller.Taking;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.reservation.IdleSlots;
import io.locket.worker.reservation.RequestPlanner;
import io.locket.worker.run.HeldRun;
import io.locket.worker.settings.GroupSettings;
import org.jspecify.annotations.Nullable;

/**
 * Requests for jobs by the threads of a consumer. The leases of the jobs are kept alive
 * from the reply on. Jobs that must not run here are ended at once. Thread-safe.
 */
final class ConsumerRequests {

	private final ConsumerParts parts;

	private final RequestPlanner planner;

	private final IdleSlots idleSlots;

	private final TakenJobs taken;

	private final Consumer<DefaultConsumedJob> onEnd;

	/**
	 * Creates the requests of a consumer.
	 * @param settings the queues to take jobs from
	 * @param parts the collaborators
	 * @param idleSlots the waiting threads of the consumer
	 * @param taken the jobs that the consumer has taken
	 * @param onEnd the callback for each of these jobs that has been ended
	 */
	ConsumerRequests(GroupSettings settings, ConsumerParts parts, IdleSlots idleSlots, TakenJobs taken,
			Consumer<DefaultConsumedJob> onEnd) {
		this.parts = parts;
		this.planner = new RequestPlanner(settings, parts.settings().instance(), parts.settings().maxRunning(),
				parts.filters(), new IdleQueueFilter(), Set::of);
		this.idleSlots = idleSlots;
		this.taken = taken;
		this.onEnd = onEnd;
	}

	/**
	 * Sends a request, and accepts the jobs of its reply.
	 * @param poller the poller to use
	 * @return the result
	 * @throws io.locket.queue.QueueUnavailableException if there is no reply; the poller
	 * then repeats the request
	 */
	Result send(ConsumerPoller poller) {
		if (!this.taken.isClosed()) {
			this.parts.duties().perform();
		}
		Taking taking = poller.take(this.parts.queue(), this.planner, this.parts.nanoTime());
		this.idleSlots.onPolled(true, taking.reservation().next(), taking.sentAt());
		if (taking.reservation().jobs().isEmpty()) {
			return new Result(null, taking.reservation().cutShort());
		}
		this.idleSlots.onWork(poller, taking.more());
		DefaultConsumedJob first = null;
		for (ReservedJob job : taking.reservation().jobs()) {
			DefaultConsumedJob accepted = accept(begin(job, taking.sentAt()));
			first = (first != null) ? first : accepted;
		}
		return new Result(first, true);
	}

	/**
	 * Starts to keep the leases of a job alive, or returns the job to its place.
	 */
	private HeldRun begin(ReservedJob job, long sentAt) {
		try {
			return this.parts.runs().begin(job, sentAt);
		}
		catch (RuntimeException | Error ex) {
			this.parts.ends().endOnce(new HeldRun(job, null), RunEnd.returned(job));
			throw ex;
		}
	}

	/**
	 * Accepts a job, or ends it at once if it must not run here.
	 */
	private @Nullable DefaultConsumedJob accept(HeldRun run) {
		RunEnd end;
		try {
			end = this.parts.ends().refusal(run);
			if (end == null) {
				DefaultConsumedJob job = new DefaultConsumedJob(run, this.parts, this.onEnd);
				if (this.taken.add(job)) {
					return job;
				}
				end = RunEnd.returned(run.job());
			}
		}
		catch (RuntimeException | Error ex) {
			end = this.parts.ends().unforeseen(run.job(), ex);
		}
		this.parts.ends().endOnce(run, end);
		return null;
	}

	/**
	 * Result of a request.
	 *
	 * @param job a job, or {@code null} if there is none
	 * @param again whether to request again at once
	 */
	record Result(@Nullable ConsumedJob job, boolean again) {

	}

}
