package io.locket.queue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.locket.JobState;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.UpdateAction;
import org.jspecify.annotations.Nullable;

/**
 * User of a queue in the role of producers and workers, with short methods.
 */
public final class QueueUser {

	public final QueueHarness harness;

	public final JobQueue queue;

	public final JobStore store;

	private int requests;

	public QueueUser(QueueHarness harness) {
		this.harness = harness;
		this.queue = harness.queue();
		this.store = harness.store();
	}

	public EnqueueResult enqueue(TestJob job) {
		return this.queue.enqueue(job.build());
	}

	/**
	 * Returns a new request of the poller {@code w}.
	 */
	public ReservationRequest request(int slots, String... queues) {
		return request("w", slots, Arrays.stream(queues).map((queue) -> new QueueLimit(queue, 0)).toList());
	}

	public ReservationRequest request(String poller, int slots, List<QueueLimit> queues) {
		return new ReservationRequest("r" + ++this.requests, poller, "host/1/" + poller, "thread-" + poller, queues,
				slots);
	}

	public Reservation reserve(int slots, String... queues) {
		return this.queue.reserve(request(slots, queues));
	}

	/**
	 * Takes the next job of queue {@code q}.
	 */
	public ReservedJob take() {
		return take("q");
	}

	public ReservedJob take(String... queues) {
		List<ReservedJob> jobs = reserve(1, queues).jobs();
		if (jobs.isEmpty()) {
			throw new AssertionError("nothing to take from " + List.of(queues));
		}
		return jobs.get(0);
	}

	/**
	 * Processes due work without taking jobs.
	 */
	public void serve() {
		while (this.queue.reserve(request("server", 0, List.of())).cutShort()) {
			continue;
		}
	}

	public EndResult end(RunEnd end) {
		return this.queue.settle(List.of(end), null).ends().get(0);
	}

	public EndResult succeed(ReservedJob job) {
		return end(RunEnd.succeeded(job));
	}

	public EndResult fail(ReservedJob job) {
		return end(RunEnd.retry(job, Duration.ofSeconds(1), "it broke"));
	}

	public RunRenewal renew(ReservedJob job) {
		return this.queue.renew(List.of(new RunToken(job.record().id(), job.token()))).get(0);
	}

	public void advance(Duration duration) {
		this.harness.advance(duration);
	}

	/**
	 * Lets the lease of a run expire, as if its worker had died, and processes due work.
	 */
	public void die() {
		advance(TestJob.LEASE);
		serve();
	}

	/**
	 * Updates a job in any state.
	 */
	public UpdateResult update(UpdateAction.Kind kind, String id) {
		return update(kind, null, ExpectedJob.of(id));
	}

	public UpdateResult move(String id, String queue) {
		return update(UpdateAction.Kind.MOVE, queue, ExpectedJob.of(id));
	}

	private UpdateResult update(UpdateAction.Kind kind, @Nullable String queue, ExpectedJob job) {
		return this.store.update(new UpdateAction(kind, queue, "s" + ++this.requests), List.of(job)).get(0);
	}

	public EnqueueResult requeue(String id, String newId) {
		return this.store.requeue(List.of(new RequeuedJob(id, newId))).get(0);
	}

	/**
	 * Runs the next job of queue {@code q} and ends it as dead.
	 */
	public String kill() {
		ReservedJob job = take();
		end(RunEnd.dead(job, "it broke"));
		return job.record().id();
	}

	public JobRecord find(String id) {
		return this.store.find(id).orElseThrow();
	}

	public JobState state(String id) {
		return find(id).state();
	}

}
