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

	private final LeaseClosing closing;

	private final LongSupplier nanoTime;

	LeaseSurrenders(LeaseScripts scripts, ScheduledExecutorService cleanup, LeaseClosing closing,
			LongSupplier nanoTime) {
		this.scripts = scripts;
		this.cleanup = cleanup;
		this.closing = closing;
		this.nanoTime = nanoTime;
	}

	/**
	 * Give a lease back.
	 * @param surrender the lease
	 * @param expiry after how long the key has expired by itself
	 */
	void add(Surrender surrender, Duration expiry) {
		this.closing.stay();
		this.queue.add(new Item(surrender, this.nanoTime.getAsLong() + expiry.toNanos() + RETRY.toNanos(), false));
		schedule(Duration.ZERO);
	}

	private void schedule(Duration delay) {
		if (!this.queue.isEmpty() && !this.cleanup.isShutdown() && this.scheduled.compareAndSet(false, true)) {
			this.cleanup.schedule(this::run, delay.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private void run() {
		boolean answered = false;
		try {
			answered = sendAll();
		}
		catch (Throwable ex) {
			logger.error("Giving leases back failed in an unforeseen way and is repeated: report this as a defect", ex);
		}
		finally {
			this.scheduled.set(false);
			schedule(answered ? REPEAT : RETRY);
		}
	}

	private boolean sendAll() {
		List<Item> again = new ArrayList<>();
		try {
			for (List<Item> batch = next(); !batch.isEmpty(); batch = next()) {
				if (!send(batch, again)) {
					return false;
				}
			}
			return true;
		}
		finally {
			this.queue.addAll(again);
		}
	}

	private List<Item> next() {
		List<Item> batch = new ArrayList<>();
		long now = this.nanoTime.getAsLong();
		while (batch.size() < BATCH) {
			Item item = this.queue.poll();
			if (item == null) {
				break;
			}
			if (item.notAfter() - now > 0) {
				batch.add(item);
			}
			else {
				this.closing.leave();
			}
		}
		return batch;
	}

	private boolean send(List<Item> batch, List<Item> again) {
		try {
			this.scripts.release(batch.stream().map(Item::surrender).toList());
		}
		catch (RuntimeException ex) {
			logger.debug("Could not give " + batch.size() + " leases back; trying again until they have expired", ex);
			again.addAll(batch);
			return false;
		}
		for (Item item : batch) {
			if (item.answered()) {
				this.closing.leave();
			}
			else {
				again.add(item.repeated());
			}
		}
		return true;
	}

	private record Item(Surrender surrender, long notAfter, boolean answered) {

		Item repeated() {
			return new Item(this.surrender, this.notAfter, true);
		}

	}

}
