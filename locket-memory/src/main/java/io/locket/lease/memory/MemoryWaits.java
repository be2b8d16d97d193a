package io.locket.lease.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.lease.LeaseAttempt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous waits for keys of a {@link LockSpace}, all on one daemon thread that lives
 * while there are any. Thread-safe.
 */
final class MemoryWaits {

	private static final Log logger = LogFactory.getLog(MemoryWaits.class);

	private static final Duration LONG = Duration.ofHours(1);

	private final LockSpace space;

	private final LongSupplier nanoTime;

	private final ThreadFactory threads;

	private final List<Waiting> waiting = new ArrayList<>();

	private boolean running;

	MemoryWaits(LockSpace space, LongSupplier nanoTime) {
		this(space, nanoTime, (wait) -> new Thread(wait, "locket-memory-wait"));
	}

	MemoryWaits(LockSpace space, LongSupplier nanoTime, ThreadFactory threads) {
		this.space = space;
		this.nanoTime = nanoTime;
		this.threads = threads;
	}

	/**
	 * Adds a wait.
	 * @param grant takes the lease inside a step, or returns {@code null}; its exception
	 * fails the wait
	 * @param refusal creates the result at the end of the wait
	 * @param wait the maximum wait
	 * @return the future result; its cancellation ends the wait
	 */
	CompletableFuture<LeaseAttempt> add(Supplier<LeaseAttempt.@Nullable Acquired> grant, Supplier<LeaseAttempt> refusal,
			Duration wait) {
		long until = this.space.atomically(this.space::now) + wait.toMillis();
		Waiting added = new Waiting(new CompletableFuture<>(), grant, refusal,
				this.nanoTime.getAsLong() + wait.toNanos(), until);
		synchronized (this) {
			if (!this.running) {
				Thread thread = this.threads.newThread(this::run);
				thread.setDaemon(true);
				thread.start();
				// Only now: a thread that could not be started is tried again.
				this.running = true;
			}
			this.waiting.add(added);
		}
		return added.result();
	}

	private void run() {
		do {
			try {
				this.space.await(() -> sweep() ? Boolean.TRUE : null, LONG, this.nanoTime);
			}
			catch (InterruptedException ex) {
				logger.debug("Interrupted by a callback of a result. The other waits go on", ex);
			}
		}
		while (!stopIfEmpty());
	}

	/**
	 * Marks the thread as ended if no wait is left.
	 * @return whether the thread ends
	 */
	private synchronized boolean stopIfEmpty() {
		this.running = !this.waiting.isEmpty();
		return !this.running;
	}

	/**
	 * Ends the waits that can end, inside a step.
	 * @return whether a wait has ended, or none is left
	 */
	private synchronized boolean sweep() {
		return this.waiting.removeIf(this::tryEnd) || this.waiting.isEmpty();
	}

	/**
	 * Ends a wait that is over, or whose key can be taken now.
	 * @return whether the wait has ended
	 */
	private boolean tryEnd(Waiting wait) {
		if (wait.result().isDone()) {
			return true;
		}
		LeaseAttempt.Acquired acquired;
		try {
			acquired = wait.grant().get();
		}
		catch (RuntimeException | Error ex) {
			this.space.afterwards(() -> wait.result().completeExceptionally(ex));
			return true;
		}
		if (acquired != null) {
			this.space.afterwards(() -> {
				if (!wait.result().complete(acquired)) {
					acquired.lease().close();
				}
			});
			return true;
		}
		if (this.nanoTime.getAsLong() - wait.deadline() < 0 && this.space.now() < wait.until()) {
			return false;
		}
		this.space.afterwards(() -> {
			LeaseAttempt refused = wait.refusal().get();
			wait.result().complete(refused);
		});
		return true;
	}

	/**
	 * A single wait.
	 *
	 * @param result the future result
	 * @param grant takes the lease
	 * @param refusal creates the result at the end
	 * @param deadline end of the wait by the monotonic clock, in nanoseconds
	 * @param until end of the wait by the clock of the space, in milliseconds
	 */
	private record Waiting(CompletableFuture<LeaseAttempt> result, Supplier<LeaseAttempt.@Nullable Acquired> grant,
			Supplier<LeaseAttempt> refusal, long deadline, long until) {

	}

}
