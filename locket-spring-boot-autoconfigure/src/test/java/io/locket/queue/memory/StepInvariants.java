package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunRenewal;
import io.locket.queue.TestJob;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The invariants that show in what the queue under test answers, whatever the model says.
 */
final class StepInvariants {

	private final Map<String, Live> leased = new HashMap<>();

	private final Map<String, Long> fences = new HashMap<>();

	private long fence;

	/**
	 * A run was handed out: if it has a lease of its key, no other run has one that
	 * holds, and its fence is greater than those of all leases before; else its fence is
	 * greater than those of the job's earlier runs.
	 */
	void started(ReservedJob job, Instant now) {
		String id = job.record().id();
		assertThat(job.fence()).as("fence of %s", id).isGreaterThan(this.fences.getOrDefault(id, 0L));
		this.fences.put(id, job.fence());
		if (job.keyLeased()) {
			assertThat(job.fence()).as("fence of %s", id).isGreaterThan(this.fence);
			this.fence = job.fence();
			String digest = job.record().key().digest();
			Live other = this.leased.get(digest);
			assertThat(other == null || !other.until().isAfter(now)).as("%s starts beside %s", job.record().id(), other)
				.isTrue();
			this.leased.put(digest, new Live(job.record().id(), job.token(), now.plus(TestJob.LEASE)));
		}
	}

	void renewed(ReservedJob job, RunRenewal renewal, Instant now) {
		if (job.keyLeased() && renewal.running() && renewal.keyLoss() == null) {
			this.leased.computeIfPresent(job.record().key().digest(), (digest, live) -> live.token().equals(job.token())
					? new Live(live.id(), live.token(), now.plus(TestJob.LEASE)) : live);
		}
	}

	void ended(ReservedJob job) {
		if (job.keyLeased()) {
			this.leased.computeIfPresent(job.record().key().digest(),
					(digest, live) -> live.token().equals(job.token()) ? null : live);
		}
	}

	void stolen(String digest) {
		this.leased.remove(digest);
	}

	/**
	 * A reply that was not cut short leaves nothing that could be had, a queue called
	 * idle has nothing to offer, whoever sleeps until the next time misses nothing, and a
	 * free key with parked jobs has a job that is ready in each queue concerned.
	 */
	void checkReply(MemoryStore store, ReservationRequest request, Reservation reply) {
		for (ReservationRequest.QueueLimit limit : request.queues()) {
			boolean open = !store.isPaused(limit.queue()) && (limit.maxRunning() == 0
					|| store.jobs(limit.queue(), JobState.RUNNING).size() < limit.maxRunning());
			boolean offers = open && !store.jobs(limit.queue(), JobState.READY).isEmpty();
			assertThat(offers && reply.idle().contains(limit.queue())).as("%s is idle", limit.queue()).isFalse();
			if (!reply.cutShort() && reply.jobs().size() < request.slots()) {
				assertThat(offers).as("%s has more, and the reply was not cut short", limit.queue()).isFalse();
			}
		}
		Long next = nextDue(store);
		if (next != null && !reply.cutShort() && reply.jobs().isEmpty()) {
			assertThat(reply.next()).as("next").isNotNull().isLessThanOrEqualTo(Duration.ofMillis(next - store.now));
		}
		if (!reply.cutShort()) {
			checkPromotion(store);
		}
	}

	private static @Nullable Long nextDue(MemoryStore store) {
		return store.jobs.values()
			.stream()
			.filter((job) -> job.is(JobState.SCHEDULED) || job.is(JobState.RETRY))
			.map((job) -> job.due)
			.min(Long::compare)
			.orElse(null);
	}

	private static void checkPromotion(MemoryStore store) {
		for (MemoryJob job : store.jobs.values()) {
			if (job.is(JobState.PARKED) && store.lock(job.digest()) == null) {
				Set<String> ready = store.jobs(job.queue(), JobState.READY)
					.stream()
					.map(MemoryJob::digest)
					.collect(Collectors.toSet());
				assertThat(ready).as("%s is parked for a free key", job.id()).contains(job.digest());
			}
		}
	}

	void checkCounts(QueueCounts actual, QueueCounts expected) {
		assertThat(actual.accepted()).as("accepted by %s", actual.queue()).isEqualTo(expected.accepted());
		assertThat(actual.movedIn()).as("moved into %s", actual.queue()).isEqualTo(expected.movedIn());
		assertThat(actual.movedOut()).as("moved out of %s", actual.queue()).isEqualTo(expected.movedOut());
		assertThat(actual.deadLetters()).as("dead letters of %s", actual.queue()).isEqualTo(expected.deadLetters());
		assertThat(actual.paused()).as("%s is paused", actual.queue()).isEqualTo(expected.paused());
		long sum = 0;
		for (JobState state : JobState.values()) {
			assertThat(actual.in(state)).as("%s in %s", state, actual.queue()).isEqualTo(expected.in(state));
			sum += actual.in(state);
		}
		assertThat(actual.accepted() + actual.movedIn()).as("balance of %s", actual.queue())
			.isEqualTo(sum + actual.movedOut());
	}

	private record Live(String id, String token, Instant until) {

	}

}
