package io.locket.aop;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseLossCause;
import io.locket.LeaseUnavailableException;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LeaseService} in memory, whose leases can be lost and whose store can be gone.
 * Nothing expires by itself.
 */
public class TestLeaseService implements LeaseService {

	private final Map<String, MemoryLease> held = new HashMap<>();

	private final Map<String, MemoryLease> claims = new HashMap<>();

	private final List<LeaseRequest> requests = new CopyOnWriteArrayList<>();

	private final List<Thread> releasingThreads = new CopyOnWriteArrayList<>();

	private long fence;

	private volatile boolean unavailable;

	private volatile boolean releaseFails;

	@Override
	public synchronized LeaseAttempt attempt(LeaseRequest request) {
		this.requests.add(request);
		requireStore();
		long deadline = System.nanoTime() + request.waitTime().toNanos();
		String digest = request.key().digest();
		while (this.held.containsKey(digest)) {
			long left = deadline - System.nanoTime();
			if (left <= 0) {
				return refused(request.key());
			}
			try {
				wait(Math.max(1, left / 1_000_000));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return refused(request.key());
			}
		}
		MemoryLease lease = new MemoryLease(request.key(), ++this.fence, false);
		this.held.put(digest, lease);
		return new LeaseAttempt.Acquired(lease);
	}

	private LeaseAttempt refused(JobKey key) {
		return new LeaseAttempt.Refused(holder(this.fence), Duration.ofSeconds(7));
	}

	@Override
	public synchronized LeaseAttempt claim(JobKey key, Duration period) {
		requireStore();
		if (this.claims.containsKey(key.digest())) {
			return new LeaseAttempt.Refused(null, period);
		}
		MemoryLease lease = new MemoryLease(key, ++this.fence, true);
		this.claims.put(key.digest(), lease);
		return new LeaseAttempt.Acquired(lease);
	}

	@Override
	public JobKey keyOf(String name, @Nullable Object... key) {
		return new JobKeys().keyOf(name, key, false);
	}

	@Override
	public synchronized Optional<HeldLease> find(JobKey key) {
		return Optional.ofNullable(this.held.get(key.digest())).map(MemoryLease::describe);
	}

	@Override
	public synchronized Optional<HeldLease> findClaim(JobKey key) {
		return Optional.ofNullable(this.claims.get(key.digest())).map(MemoryLease::describe);
	}

	@Override
	public synchronized List<HeldLease> held(int limit) {
		return this.held.values().stream().limit(limit).map(MemoryLease::describe).toList();
	}

	@Override
	public Optional<HeldLease> forceRelease(String digest) {
		MemoryLease lease;
		synchronized (this) {
			lease = this.held.get(digest);
		}
		if (lease == null) {
			return Optional.empty();
		}
		lose(LeaseLossCause.GONE);
		return Optional.of(lease.describe());
	}

	/**
	 * Lose every lease that is held.
	 * @param cause why
	 */
	public void lose(LeaseLossCause cause) {
		lose(cause, 0);
	}

	/**
	 * Lose every lease from a fencing token on.
	 * @param cause why
	 * @param fence the first token
	 */
	public void lose(LeaseLossCause cause, long fence) {
		List<MemoryLease> lost;
		synchronized (this) {
			lost = this.held.values().stream().filter((lease) -> lease.fence >= fence).toList();
			this.held.values().removeAll(lost);
			notifyAll();
		}
		lost.forEach((lease) -> lease.lose(cause));
	}

	public void setUnavailable(boolean unavailable) {
		this.unavailable = unavailable;
	}

	public void setReleaseFails(boolean releaseFails) {
		this.releaseFails = releaseFails;
	}

	/**
	 * Return what was asked for.
	 * @return the requests
	 */
	public List<LeaseRequest> requests() {
		return this.requests;
	}

	/**
	 * Return how many actions wait for the loss of a lease that is held.
	 * @return the number of actions
	 */
	public synchronized int listeners() {
		return this.held.values().stream().mapToInt(MemoryLease::listeners).sum();
	}

	/**
	 * Return on which threads leases were released.
	 * @return the threads
	 */
	public List<Thread> releasingThreads() {
		return this.releasingThreads;
	}

	private void requireStore() {
		if (this.unavailable) {
			throw new LeaseUnavailableException("The store is gone", null);
		}
	}

	private synchronized void release(MemoryLease lease) {
		this.releasingThreads.add(Thread.currentThread());
		this.held.remove(lease.key.digest(), lease);
		notifyAll();
	}

	private static LeaseHolder holder(long fence) {
		return new LeaseHolder("host/1/a", "other", Instant.EPOCH, fence);
	}

	/**
	 * A lease in memory.
	 */
	private final class MemoryLease implements Lease {

		private final JobKey key;

		private final long fence;

		private final boolean claim;

		private final List<Runnable> onLost = new ArrayList<>();

		private @Nullable LeaseLossCause lossCause;

		private boolean released;

		private MemoryLease(JobKey key, long fence, boolean claim) {
			this.key = key;
			this.fence = fence;
			this.claim = claim;
		}

		private HeldLease describe() {
			return new HeldLease(this.key.digest(), this.key.job(), this.key.text(), holder(this.fence), Duration.ZERO,
					Duration.ofSeconds(7));
		}

		private void lose(LeaseLossCause cause) {
			List<Runnable> actions;
			synchronized (this) {
				this.lossCause = cause;
				actions = List.copyOf(this.onLost);
			}
			actions.forEach(Runnable::run);
		}

		private synchronized int listeners() {
			return this.onLost.size();
		}

		@Override
		public JobKey key() {
			return this.key;
		}

		@Override
		public long fencingToken() {
			return this.fence;
		}

		@Override
		public Instant since() {
			return Instant.EPOCH;
		}

		@Override
		public Duration remaining() {
			return isHeld() ? Duration.ofSeconds(7) : Duration.ZERO;
		}

		@Override
		public synchronized boolean isHeld() {
			return this.lossCause == null && !this.released;
		}

		@Override
		public synchronized @Nullable LeaseLossCause lossCause() {
			return this.lossCause;
		}

		@Override
		public void onLost(Runnable action) {
			synchronized (this) {
				if (this.lossCause == null) {
					this.onLost.add(action);
					return;
				}
			}
			action.run();
		}

		@Override
		public boolean renew() {
			return isHeld();
		}

		@Override
		public void close() {
			synchronized (this) {
				if (this.claim || this.released || this.lossCause != null) {
					return;
				}
				this.released = true;
			}
			release(this);
			if (TestLeaseService.this.releaseFails) {
				throw new IllegalStateException("Release failed");
			}
		}

	}

}
