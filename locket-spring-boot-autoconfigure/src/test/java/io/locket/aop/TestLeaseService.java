package io.locket.aop;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import io.locket.LeaseUnavailableException;
import io.locket.key.JobKeys;
import io.locket.lease.ClaimLease;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

/**
 * {@link LeaseService} in memory, whose leases can be lost and whose store can become
 * unavailable. Nothing expires by itself.
 */
public class TestLeaseService implements LeaseService {

	private final Map<String, MemoryLease> held = new HashMap<>();

	private final Map<String, MemoryLease> claims = new HashMap<>();

	private final List<LeaseRequest> requests = new CopyOnWriteArrayList<>();

	private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

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

	@Override
	public synchronized CompletableFuture<LeaseAttempt> attemptAsync(LeaseRequest request) {
		this.requests.add(request);
		try {
			requireStore();
		}
		catch (LeaseUnavailableException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		CompletableFuture<LeaseAttempt> result = new CompletableFuture<>();
		Runnable attempt = () -> {
			if (!result.isDone() && !this.held.containsKey(request.key().digest())) {
				MemoryLease lease = new MemoryLease(request.key(), ++this.fence, false);
				if (result.complete(new LeaseAttempt.Acquired(lease))) {
					this.held.put(request.key().digest(), lease);
				}
			}
		};
		this.waiting.add(attempt);
		attempt.run();
		result.completeOnTimeout(refused(request.key()), request.waitTime().toMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((reply, failure) -> this.waiting.remove(attempt));
		return result;
	}

	/**
	 * Returns the number of asynchronous waits.
	 * @return the number of calls
	 */
	public int waiting() {
		return this.waiting.size();
	}

	private void freed() {
		this.waiting.forEach(Runnable::run);
		notifyAll();
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
		return new LeaseAttempt.Acquired(
				new ClaimLease(key, lease.fence, lease.since(), lease::remaining, () -> releaseClaim(lease)));
	}

	private synchronized void releaseClaim(MemoryLease claim) {
		this.claims.remove(claim.key().digest(), claim);
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
			if (lease == null) {
				return Optional.ofNullable(this.claims.remove(digest)).map(MemoryLease::describe);
			}
		}
		lose(LeaseLossCause.GONE);
		return Optional.of(lease.describe());
	}

	/**
	 * Loses every lease that is held.
	 * @param cause the reason for the loss
	 */
	public void lose(LeaseLossCause cause) {
		lose(cause, 0);
	}

	/**
	 * Loses every lease from a fencing token on.
	 * @param cause the reason for the loss
	 * @param fence the first token
	 */
	public void lose(LeaseLossCause cause, long fence) {
		List<MemoryLease> lost;
		synchronized (this) {
			lost = this.held.values().stream().filter((lease) -> lease.fence >= fence).toList();
			this.held.values().removeAll(lost);
			freed();
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
	 * Returns the requests for leases.
	 * @return the requests
	 */
	public List<LeaseRequest> requests() {
		return this.requests;
	}

	/**
	 * Returns the number of actions registered for the loss of a held lease.
	 * @return the number of actions
	 */
	public synchronized int listeners() {
		return this.held.values().stream().mapToInt(MemoryLease::listeners).sum();
	}

	/**
	 * Returns the threads that released leases.
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
		freed();
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
					Duration.ofSeconds(7), this.claim ? LeaseKind.CLAIM : LeaseKind.ofJob(this.key.job()));
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
