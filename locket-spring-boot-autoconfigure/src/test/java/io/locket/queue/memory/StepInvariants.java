package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.QueueCounts;
import io.locket.queue.TestJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunRenewal;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invariants of the replies of the queue under test, independent of the model.
 */
final class StepInvariants {

	private final Map<String, Live> leased = new HashMap<>();

	private long fence;

	/**
	 * Checks a new run. If it has a key lease, no other run holds one, and its fence is
	 * greater than all earlier ones. Otherwise it has no fence.
	 */
	void started(ReservedJob job, Instant now) {
		String id = job.record().id();
		if (!job.keyLeased()) {
			assertThat(job.fence()).as("fence of %s", id).isZero();
		}
		else {
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
	 * Checks a reply that was not cut short. No available job is left over, idle queues
	 * have no job to hand out, and a worker that sleeps until the next time misses none.
	 * A free key with parked jobs has a ready job in each queue concerned.
	 */
	void checkReply(MemoryStore store, ReservationRequest request, Reservation reply) {
		for (ReservationRequest.QueueLimit limit : request.queues()) {
			boolean open = !store.isPaused(limit.queue()) && (limit.maxRunning() == 0
					|| store.jobs(limit.queue(), JobState.RUNNING).size() < limit.maxRunning());
			boolean offers = open && store.jobs.values()
				.stream()
				.anyMatch((job) -> job.queue().equals(limit.queue())
						&& (job.is(JobState.READY) || (job.aside && !request.leavesOut().contains(job.name()))));
			assertThat(offers && reply.idle().contains(limit.queue())).as("%s is idle", limit.queue()).isFalse();
			boolean yields = !reply.idle().contains(limit.queue()) && yields(store, limit.queue(), request, reply);
			if (!reply.cutShort() && reply.jobs().size() < request.slots() && !yields) {
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

	/**
	 * Returns whether a job of a queue may have left its key to an older one in a queue
	 * that is not requested. An even older one of the requested queues may have taken the
	 * key after it.
	 */
	private static boolean yields(MemoryStore store, String queue, ReservationRequest request, Reservation reply) {
		Set<String> requested = request.queues().stream().map(QueueLimit::queue).collect(Collectors.toSet());
		return store.jobs(queue, JobState.READY)
			.stream()
			.filter((job) -> wasFree(store.lock(job.digest()), reply))
			.anyMatch((job) -> store.jobs.values()
				.stream()
				.anyMatch((other) -> other.promoted && other.digest().equals(job.digest())
						&& !requested.contains(other.queue()) && other.enqueuedAt < job.enqueuedAt));
	}

	private static boolean wasFree(@Nullable KeyLock lock, Reservation reply) {
		return lock == null || reply.jobs().stream().anyMatch((job) -> job.record().id().equals(lock.job()));
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
