package io.locket.queue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.locket.JobState;
import io.locket.queue.ReservationRequest.QueueLimit;
import org.jspecify.annotations.Nullable;

/**
 * Uses a queue as producers and workers do, in few words.
 */
final class QueueUser {

	final QueueHarness harness;

	final JobQueue queue;

	final JobStore store;

	private int requests;

	QueueUser(QueueHarness harness) {
		this.harness = harness;
		this.queue = harness.queue();
		this.store = harness.store();
	}

	EnqueueResult enqueue(TestJob job) {
		return this.queue.enqueue(job.build());
	}

	/**
	 * Return a new request of the lane {@code w}.
	 */
	ReservationRequest request(int slots, String... queues) {
		return request("w", slots, Arrays.stream(queues).map((queue) -> new QueueLimit(queue, 0)).toList());
	}

	ReservationRequest request(String lane, int slots, List<QueueLimit> queues) {
		return new ReservationRequest("r" + ++this.requests, lane, "host/1/" + lane, "thread-" + lane, queues, slots);
	}

	Reservation reserve(int slots, String... queues) {
		return this.queue.reserve(request(slots, queues));
	}

	/**
	 * Take the next job of queue {@code q}.
	 */
	ReservedJob take() {
		return take("q");
	}

	ReservedJob take(String... queues) {
		List<ReservedJob> jobs = reserve(1, queues).jobs();
		if (jobs.isEmpty()) {
			throw new AssertionError("nothing to take from " + List.of(queues));
		}
		return jobs.get(0);
	}

	/**
	 * Let the queue serve what is due, taking nothing.
	 */
	void serve() {
		while (this.queue.reserve(request("server", 0, List.of())).cutShort()) {
			continue;
		}
	}

	EndResult end(RunEnd end) {
		return this.queue.settle(List.of(end), null).ends().get(0);
	}

	EndResult succeed(ReservedJob job) {
		return end(RunEnd.succeeded(job));
	}

	EndResult fail(ReservedJob job) {
		return end(RunEnd.retry(job, Duration.ofSeconds(1), "it broke"));
	}

	RunRenewal renew(ReservedJob job) {
		return this.queue.renew(List.of(new RunToken(job.record().id(), job.token()))).get(0);
	}

	void advance(Duration duration) {
		this.harness.advance(duration);
	}

	/**
	 * Let a run's worker die, and serve what follows from it.
	 */
	void die() {
		advance(TestJob.LEASE);
		serve();
	}

	/**
	 * Steer a job, whatever it is.
	 */
	SteerResult steer(SteerAction.Kind kind, String id) {
		return steer(kind, null, JobSighting.of(id));
	}

	SteerResult move(String id, String queue) {
		return steer(SteerAction.Kind.MOVE, queue, JobSighting.of(id));
	}

	private SteerResult steer(SteerAction.Kind kind, @Nullable String queue, JobSighting job) {
		return this.store.steer(new SteerAction(kind, queue, "s" + ++this.requests), List.of(job)).get(0);
	}

	EnqueueResult putBack(String id, String newId) {
		return this.store.putBack(List.of(new PutBack(id, newId))).get(0);
	}

	/**
	 * Let the next job of queue {@code q} die.
	 */
	String kill() {
		ReservedJob job = take();
		end(RunEnd.dead(job, "it broke"));
		return job.record().id();
	}

	JobRecord find(String id) {
		return this.store.find(id).orElseThrow();
	}

	JobState state(String id) {
		return find(id).state();
	}

}
