package io.locket.schedule;

import java.time.Duration;
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
import io.locket.queue.QueueUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The schedules that end with this process: they name a lease that it holds as long as it
 * lives, from the first of them on. If the lease is lost, since the process was frozen or
 * the store has forgotten it, they are put again under a new one of the same key, but for
 * those that somebody has removed or replaced. Thread-safe.
 * <p>
 * A put without an answer is not put again: the schedule ends with the lease, if it is
 * there at all.
 */
final class ProcessSchedules implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ProcessSchedules.class);

	/**
	 * The name in the keys of these leases.
	 */
	static final String NAME = "locket.process";

	/**
	 * How often to look who has removed or replaced a schedule.
	 */
	static final Duration LOOK = Duration.ofSeconds(10);

	/**
	 * After how long to try again what did not work.
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
	 * The fencing token of the lease under which they all are.
	 */
	private long settled;

	/**
	 * The revision of the store at the last look.
	 */
	private long revision = UNKNOWN;

	private @Nullable Future<?> next;

	private boolean complained;

	private volatile boolean closed;

	/**
	 * Create the schedules of a process, none.
	 * @param store where they are put
	 * @param leases keeps the lease of the process; of the lock space that the store
	 * looks into
	 * @param scheduler looks after them, and ends with them
	 */
	ProcessSchedules(ScheduleStore store, LeaseService leases, ScheduledExecutorService scheduler) {
		this.store = store;
		this.leases = leases;
		this.scheduler = scheduler;
		this.key = leases.keyOf(NAME, UUID.randomUUID().toString());
	}

	/**
	 * Put a transient schedule.
	 */
	synchronized void put(ScheduleDefinition definition) {
		Assert.state(!this.closed, () -> "This process stops: " + definition + " would end with it at once");
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
		lookAgain((current.fencingToken() == this.settled) ? LOOK : Duration.ZERO);
	}

	/**
	 * Remove or replace schedules, and forget those of this process when the store has
	 * agreed. Without an answer they are kept: the next look tells what has become of
	 * them.
	 * @param names the names of the schedules
	 * @param change asks the store; nothing is put again meanwhile
	 * @return what the change returns
	 */
	synchronized boolean giveUp(Set<String> names, BooleanSupplier change) {
		boolean answer = change.getAsBoolean();
		this.definitions.keySet().removeAll(names);
		return answer;
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
				acquired.lease().onLost(() -> this.scheduler.execute(this::look));
				return acquired.lease();
			}
		}
		catch (LeaseUnavailableException ex) {
			throw new QueueUnavailableException("The store gave no answer for the lease of this process", ex);
		}
		throw new QueueUnavailableException("The former lease of this process has not ended yet", null);
	}

	private void abandon(Lease lost) {
		this.lease = null;
		lost.close();
	}

	/**
	 * Look after the schedules: put them again if they are lost, and learn of those that
	 * others have removed or replaced, so that these are never put again.
	 */
	private synchronized void look() {
		if (this.closed || this.definitions.isEmpty()) {
			return;
		}
		Duration pause = RETRY;
		try {
			Lease current = held();
			if (current.fencingToken() != this.settled) {
				restore(current);
				logger.info("Put again, after the lease of this process was lost: " + this.definitions.keySet());
			}
			else if (this.store.revision() != this.revision) {
				restore(current);
			}
			this.complained = false;
			pause = LOOK;
		}
		catch (RuntimeException ex) {
			complain(ex);
		}
		lookAgain(pause);
	}

	/**
	 * Put again what is not there, but for what somebody has removed or replaced. Where
	 * nothing is lost, nothing changes. A schedule that is not there and that nobody has
	 * removed was forgotten by the store, as in a fail-over; the revision does not tell
	 * that, since later changes have raised it again.
	 */
	private void restore(Lease current) {
		long before = this.store.revision();
		Set<String> taken;
		try {
			taken = this.store.restore(this.definitions.values(), LeaseProof.of(current));
		}
		catch (IllegalStateException ex) {
			abandon(current);
			throw ex;
		}
		this.definitions.keySet().removeAll(taken);
		this.settled = current.fencingToken();
		this.revision = before;
	}

	private void complain(RuntimeException ex) {
		if (this.complained || this.closed) {
			logger.debug("Still cannot look after the schedules of this process", ex);
			return;
		}
		this.complained = true;
		logger.warn("Could not look after the schedules that end with this process; trying again until it works, and"
				+ " they may not fire meanwhile. Look at Redis: " + ex);
	}

	private void lookAgain(Duration pause) {
		if (this.next != null) {
			this.next.cancel(false);
		}
		if (!this.closed) {
			this.next = this.scheduler.schedule(this::look, pause.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * End them all.
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
