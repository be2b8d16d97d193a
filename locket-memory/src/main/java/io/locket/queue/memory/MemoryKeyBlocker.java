package io.locket.queue.memory;

import java.util.Optional;

import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.spi.KeyBlocker;
import org.jspecify.annotations.Nullable;

/**
 * Search for the job or holder that blocks a key of the {@link InMemoryJobQueue}.
 */
final class MemoryKeyBlocker {

	private final MemoryStore store;

	private final String digest;

	private final boolean claimable;

	private final @Nullable KeyLock lock;

	MemoryKeyBlocker(MemoryStore store, String digest, boolean claimable) {
		this.store = store;
		this.digest = digest;
		this.claimable = claimable;
		this.lock = store.lock(digest);
	}

	Optional<KeyBlocker> find() {
		LeaseHolder holder = (this.lock != null) ? this.lock.holder() : null;
		MemoryJob job = job();
		if (job != null) {
			return Optional.of(blocker(job, holder));
		}
		KeyLock claim = this.store.claim(this.digest);
		MemoryJob claimant = (claim != null) ? this.store.jobs.get(claim.job()) : null;
		if (claim != null && (this.claimable || (claimant != null && !claimant.state.isEnded()))) {
			return Optional.of((claimant != null) ? blocker(claimant, null)
					: new KeyBlocker(claim.job(), null, null, KeyBlocker.NO_POSITION, claim.holder()));
		}
		return Optional.ofNullable(holder).map(KeyBlocker::ofHolder);
	}

	private @Nullable MemoryJob job() {
		MemoryJob holder = this.store.ticketOwner(this.digest);
		if (holder != null) {
			return holder;
		}
		MemoryJob runner = (this.lock != null && this.lock.job() != null) ? this.store.jobs.get(this.lock.job()) : null;
		return (runner != null) ? runner : this.store.index.first(this.digest).stream().findFirst().orElse(null);
	}

	private KeyBlocker blocker(MemoryJob job, @Nullable LeaseHolder holder) {
		long before = job.is(JobState.READY) ? this.store.jobs(job.queue(), JobState.READY).indexOf(job)
				: KeyBlocker.NO_POSITION;
		return new KeyBlocker(job.id(), job.state, job.queue(), before, holder);
	}

}
