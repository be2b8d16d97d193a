package io.locket.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.locket.lease.LeaseScripts.Surrender;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Gives back, in the background, what the store gave no answer for: acquires that may
 * have been granted all the same, and releases that may not have arrived.
 * <p>
 * Each is repeated until the store answers, and once more a little later: over a new
 * connection it may overtake the acquire that it takes back. After the key has expired by
 * itself it is dropped.
 */
final class LeaseSurrenders {

	private static final Log logger = LogFactory.getLog(LeaseSurrenders.class);

	private static final int BATCH = 100;

	private static final Duration RETRY = Duration.ofMillis(100);

	private static final Duration REPEAT = Duration.ofMillis(500);

	private final ConcurrentLinkedQueue<Item> queue = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final LeaseScripts scripts;

	private final ScheduledExecutorService cleanup;

	private final LongSupplier nanoTime;

	LeaseSurrenders(LeaseScripts scripts, ScheduledExecutorService cleanup, LongSupplier nanoTime) {
		this.scripts = scripts;
		this.cleanup = cleanup;
		this.nanoTime = nanoTime;
	}

	/**
	 * Give a lease back.
	 * @param surrender the lease
	 * @param expiry after how long the key has expired by itself
	 */
	void add(Surrender surrender, Duration expiry) {
		this.queue.add(new Item(surrender, this.nanoTime.getAsLong() + expiry.toNanos() + RETRY.toNanos(), false));
		schedule(Duration.ZERO);
	}

	boolean isEmpty() {
		return this.queue.isEmpty();
	}

	private void schedule(Duration delay) {
		if (!this.queue.isEmpty() && !this.cleanup.isShutdown() && this.scheduled.compareAndSet(false, true)) {
			this.cleanup.schedule(this::run, delay.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private void run() {
		boolean answered = true;
		List<Item> repeats = new ArrayList<>();
		List<Item> batch = next();
		while (answered && !batch.isEmpty()) {
			answered = send(batch, repeats);
			batch = answered ? next() : List.of();
		}
		this.queue.addAll(repeats);
		this.scheduled.set(false);
		schedule(answered ? REPEAT : RETRY);
	}

	private List<Item> next() {
		List<Item> batch = new ArrayList<>();
		long now = this.nanoTime.getAsLong();
		for (Item item = this.queue.poll(); item != null; item = (batch.size() < BATCH) ? this.queue.poll() : null) {
			if (item.notAfter() - now > 0) {
				batch.add(item);
			}
		}
		return batch;
	}

	private boolean send(List<Item> batch, List<Item> repeats) {
		try {
			this.scripts.release(batch.stream().map(Item::surrender).toList());
			batch.stream().filter((item) -> !item.answered()).map(Item::repeated).forEach(repeats::add);
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("Could not give " + batch.size() + " leases back; trying again until they have expired", ex);
			repeats.addAll(batch);
			return false;
		}
	}

	private record Item(Surrender surrender, long notAfter, boolean answered) {

		Item repeated() {
			return new Item(this.surrender, this.notAfter, true);
		}

	}

}
