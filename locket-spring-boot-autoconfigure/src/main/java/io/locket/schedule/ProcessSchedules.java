package io.locket.schedule;

import java.util.List;
import java.util.UUID;

import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.QueueUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The schedules that end with this process: they name a lease that it holds as long as it
 * lives, from the first of them on. Thread-safe.
 */
final class ProcessSchedules implements AutoCloseable {

	/**
	 * The name in the keys of these leases.
	 */
	static final String NAME = "locket.process";

	private final ScheduleStore store;

	private final LeaseService leases;

	private final JobKey key;

	private @Nullable Lease lease;

	private boolean closed;

	/**
	 * Create the schedules of a process, none.
	 * @param store where they are put
	 * @param leases keeps the lease of the process; of the lock space that the store
	 * looks into
	 */
	ProcessSchedules(ScheduleStore store, LeaseService leases) {
		this.store = store;
		this.leases = leases;
		this.key = leases.keyOf(NAME, UUID.randomUUID().toString());
	}

	/**
	 * Put a transient schedule.
	 */
	synchronized void put(ScheduleDefinition definition) {
		Assert.state(!this.closed, () -> "This process stops: " + definition + " would end with it at once");
		this.store.put(List.of(definition), LeaseProof.of(held()));
	}

	private Lease held() {
		Lease current = this.lease;
		if (current != null && current.isHeld()) {
			return current;
		}
		try {
			if (this.leases.attempt(LeaseRequest.of(this.key)) instanceof LeaseAttempt.Acquired acquired) {
				this.lease = acquired.lease();
				return acquired.lease();
			}
		}
		catch (LeaseUnavailableException ex) {
			throw new QueueUnavailableException("The store gave no answer for the lease of this process", ex);
		}
		throw new QueueUnavailableException("The former lease of this process has not ended yet", null);
	}

	/**
	 * End them all.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.lease != null) {
			this.lease.close();
			this.lease = null;
		}
	}

}
