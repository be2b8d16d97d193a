package io.locket.schedule;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.log.OutageLog;
import io.locket.queue.QueueUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Schedules that end with this process. From the first of them on, the process holds a
 * lease that they refer to. The lease is lost if the process was frozen or the store has
 * lost it. The schedules are then put again under a new lease of the same key. Those that
 * other processes have removed or replaced are not. Thread-safe.
 * <p>
 * A schedule whose put got no reply is not put again. It ends with the lease, if it
 * exists.
 */
final class ProcessSchedules implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ProcessSchedules.class);

	/**
	 * Name in the keys of these leases.
	 */
	static final String NAME = "locket.process";

	/**
	 * Interval of the checks for removed or replaced schedules.
	 */
	static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

	/**
	 * Delay of retries.
	 */
	static final Duration RETRY = Duration.ofSeconds(1);

	private static final long UNKNOWN = -1;

	private final ScheduleStore store;

	private final LeaseService leases;

	private final ScheduledExecutorService scheduler;

	private final JobKey key;

	private final Map<String, ScheduleDefinition> definitions = new LinkedHashMap<>();

	private @Nullable Lease lease;

	/**
	 * Fencing token of the lease under which all of them are stored.
	 */
	private long settled;

	/**
	 * Revision of the store at the last check.
	 */
	private long revision = UNKNOWN;

	/**
	 * Next check, or {@code null} if there is nothing to check.
	 */
	private @Nullable Future<?> next;

	private final OutageLog outage = new OutageLog(logger, System::nanoTime,
			"Could not check the schedules that end with this process; they may not fire meanwhile. The check is"
					+ " repeated until it succeeds",
			"The schedules that end with this process are checked again");

	private volatile boolean closed;

	/**
	 * Creates an instance without schedules.
	 * @param store the store
	 * @param leases the lease service of the process's lease, in the lock space that the
	 * store checks
	 * @param scheduler the scheduler of the checks, which ends with this instance
	 */
	ProcessSchedules(ScheduleStore store, LeaseService leases, ScheduledExecutorService scheduler) {
		this.store = store;
		this.leases = leases;
		this.scheduler = scheduler;
		this.key = leases.keyOf(NAME, UUID.randomUUID().toString());
	}

	/**
	 * Puts a transient schedule.
	 */
	synchronized void put(ScheduleDefinition definition) {
		Assert.state(!this.closed, () -> "This process stops, so " + definition + " would end at once");
		Lease current = held();
		try {
			this.store.put(List.of(definition), LeaseProof.of(current));
		}
		catch (IllegalStateException ex) {
			logger.debug("The store does not know the lease of this process any more", ex);
			abandon(current);
			current = held();
			this.store.put(List.of(definition), LeaseProof.of(current));
		}
		this.definitions.remove(definition.name());
		boolean alone = this.definitions.isEmpty();
		this.definitions.put(definition.name(), definition);
		this.revision = UNKNOWN;
		if (alone) {
			this.settled = current.fencingToken();
		}
		if (current.fencingToken() != this.settled) {
			checkAgain(Duration.ZERO);
		}
		else if (this.next == null) {
			// A put does not delay a check, because puts may follow each other for ever.
			checkAgain(CHECK_INTERVAL);
		}
	}

	/**
	 * Removes or replaces schedules, and stops tracking those of this process once the
	 * store has confirmed. Without a reply they are kept; the next check finds their
	 * state.
	 * @param names the names of the schedules
	 * @param change the call of the store; nothing is put again meanwhile
	 * @return the result of the call
	 */
	synchronized boolean giveUp(Set<String> names, BooleanSupplier change) {
		boolean result = change.getAsBoolean();
		this.definitions.keySet().removeAll(names);
		return result;
	}

	private Lease held() {
		Lease current = this.lease;
		if (current != null && current.isHeld()) {
			return current;
		}
		if (current != null) {
			abandon(current);
		}
		try {
			if (this.leases.attempt(LeaseRequest.of(this.key)) instanceof LeaseAttempt.Acquired acquired) {
				this.lease = acquired.lease();
				acquired.lease().onLost(() -> this.scheduler.execute(this::check));
				return acquired.lease();
			}
		}
		catch (LeaseUnavailableException ex) {
			throw new QueueUnavailableException("The store did not reply about the lease of this process", ex);
		}
		throw new QueueUnavailableException("The former lease of this process has not ended yet", null);
	}

	private void abandon(Lease lost) {
		this.lease = null;
		lost.close();
	}

	/**
	 * Checks the schedules. Lost schedules are put again. Schedules that other processes
	 * have removed or replaced are dropped, so that they are never put again.
	 */
	private synchronized void check() {
		if (this.closed || this.definitions.isEmpty()) {
			cancelNext();
			return;
		}
		Duration pause = RETRY;
		try {
			Lease current = held();
			if (current.fencingToken() != this.settled) {
				restore(current);
				if (!this.definitions.isEmpty()) {
					logger.info("Put again, after the lease of this process was lost: " + this.definitions.keySet());
				}
			}
			else if (this.store.revision() != this.revision) {
				restore(current);
			}
			this.outage.succeeded();
			pause = CHECK_INTERVAL;
		}
		catch (Throwable ex) {
			// Without a further check, lost schedules would never be put again.
			if (!this.closed) {
				this.outage.failed(ex);
			}
		}
		checkAgain(pause);
	}

	/**
	 * Puts missing schedules again, except those that other processes removed or
	 * replaced. It changes nothing if none is missing. A schedule that is missing without
	 * having been removed was lost by the store, as in a fail-over. The revision does not
	 * show that, because later changes have increased it again.
	 */
	private void restore(Lease current) {
		long before = this.store.revision();
		List<ScheduleDefinition> all = List.copyOf(this.definitions.values());
		Set<String> taken = new HashSet<>();
		try {
			for (int from = 0; from < all.size(); from += ScheduleStore.MOST) {
				taken.addAll(this.store.restore(all.subList(from, Math.min(from + ScheduleStore.MOST, all.size())),
						LeaseProof.of(current)));
			}
		}
		catch (IllegalStateException ex) {
			abandon(current);
			throw ex;
		}
		this.definitions.keySet().removeAll(taken);
		this.settled = current.fencingToken();
		this.revision = before;
	}

	private void checkAgain(Duration pause) {
		cancelNext();
		if (!this.closed) {
			this.next = this.scheduler.schedule(this::check, pause.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private void cancelNext() {
		if (this.next != null) {
			this.next.cancel(false);
			this.next = null;
		}
	}

	/**
	 * Ends all of these schedules.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.scheduler.shutdownNow();
		synchronized (this) {
			if (this.lease != null) {
				abandon(this.lease);
			}
		}
	}

}
