package io.locket.queue.memory;

import java.util.function.Function;

import io.locket.DuplicateStrategy;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.EnqueueResult;
import io.locket.queue.NewJob;
import io.locket.queue.PutBack;

/**
 * Puts the dead letters of the {@link InMemoryJobQueue} back.
 */
final class MemoryLetters {

	private final MemoryStore store;

	private final MemoryLife life;

	private final Function<NewJob, EnqueueResult> enqueuing;

	/**
	 * Create an instance.
	 * @param life the jobs
	 * @param enqueuing enqueues a job
	 */
	MemoryLetters(MemoryLife life, Function<NewJob, EnqueueResult> enqueuing) {
		this.store = life.store;
		this.life = life;
		this.enqueuing = enqueuing;
	}

	EnqueueResult putBack(PutBack request) {
		MemoryJob letter = this.store.jobs.get(request.id());
		if (letter != null && letter.putBackAs != null) {
			return letter.putBackAs.equals(request.newId()) ? new EnqueueResult.Accepted(request.newId())
					: duplicate(letter.putBackAs);
		}
		if (letter == null || !letter.isLetter()) {
			return duplicate(request.id());
		}
		if (this.store.jobs.containsKey(request.newId())) {
			return duplicate(request.newId());
		}
		EnqueueResult result = enqueue(letter, again(letter, request.newId()));
		if (result instanceof EnqueueResult.Accepted) {
			letter.putBackAs = request.newId();
			letter.dismissed = true;
		}
		return result;
	}

	private EnqueueResult enqueue(MemoryJob letter, NewJob job) {
		KeyLock claim = this.store.claim(letter.digest());
		if (claim == null || !letter.id().equals(claim.job())) {
			return this.enqueuing.apply(job);
		}
		this.life.accept(job, this.store.now);
		this.store.space.putClaim(letter.digest(),
				KeyLock.expiring(job.id(), job.id(), claim.key(), claim.holder(), claim.takenAt(), claim.expiresAt()));
		return new EnqueueResult.Accepted(job.id());
	}

	private static NewJob again(MemoryJob letter, String id) {
		NewJob spec = letter.spec;
		return new NewJob(id, spec.job(), letter.queue(), letter.arguments, letter.key, spec.lock(),
				DuplicateStrategy.REJECT, spec.onConflict(), NewJob.Start.NOW, spec.leaseFor(), spec.uniqueFor(),
				spec.holdAtLeast(), spec.rescheduleAfter(), null, spec.retries(), letter.trace);
	}

	private EnqueueResult duplicate(String id) {
		MemoryJob job = this.store.jobs.get(id);
		return new EnqueueResult.Duplicate(id, (job != null) ? job.state : null);
	}

}
