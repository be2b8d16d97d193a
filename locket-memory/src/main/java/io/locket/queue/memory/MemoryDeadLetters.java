package io.locket.queue.memory;

import java.util.Objects;
import java.util.function.Function;

import io.locket.DuplicateStrategy;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;

/**
 * Requeueing of the dead letters of the {@link InMemoryJobQueue}.
 */
final class MemoryDeadLetters {

	private final MemoryStore store;

	private final MemoryLife life;

	private final Function<NewJob, EnqueueResult> enqueuing;

	/**
	 * Creates an instance.
	 * @param life the jobs
	 * @param enqueuing enqueues a job
	 */
	MemoryDeadLetters(MemoryLife life, Function<NewJob, EnqueueResult> enqueuing) {
		this.store = life.store;
		this.life = life;
		this.enqueuing = enqueuing;
	}

	EnqueueResult requeue(RequeuedJob request) {
		MemoryJob letter = this.store.jobs.get(request.id());
		if (letter != null && request.newId().equals(letter.requeuedAs)) {
			return new EnqueueResult.Accepted(request.newId());
		}
		if (letter == null || (letter.requeuedAs == null && !letter.isLetter())) {
			return duplicate(request.id());
		}
		if (this.store.jobs.containsKey(request.newId())) {
			return duplicate(request.newId());
		}
		if (letter.requeuedAs != null) {
			return duplicate(letter.requeuedAs);
		}
		EnqueueResult result = enqueue(letter, again(letter, request.newId()));
		if (result instanceof EnqueueResult.Accepted) {
			letter.requeuedAs = request.newId();
			letter.dismissed = true;
		}
		return result;
	}

	private EnqueueResult enqueue(MemoryJob letter, NewJob job) {
		KeyLock claim = this.store.claim(letter);
		if (claim == null) {
			return this.enqueuing.apply(job);
		}
		this.life.accept(job, this.store.now);
		Objects.requireNonNull(this.store.jobs.get(job.id())).bodyRan = letter.bodyRan;
		this.store.space.putClaim(letter.digest(),
				KeyLock.expiring(job.id(), job.id(), claim.key(), claim.holder(), claim.takenAt(), claim.expiresAt()));
		return new EnqueueResult.Accepted(job.id());
	}

	private static NewJob again(MemoryJob letter, String id) {
		NewJob spec = letter.spec;
		return spec.copy()
			.id(id)
			.queue(letter.queue())
			.arguments(letter.arguments)
			.unique(spec.lock(), letter.key, spec.uniqueFor())
			.onDuplicate(DuplicateStrategy.REJECT)
			.start(NewJob.Start.NOW)
			.maxDelay(null)
			.trace(letter.trace)
			.build();
	}

	private EnqueueResult duplicate(String id) {
		MemoryJob job = this.store.jobs.get(id);
		return new EnqueueResult.Duplicate(id, (job != null) ? job.state : null);
	}

}
