package io.locket.lease;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.event.JobEventPublisher;

import org.springframework.util.Assert;

/**
 * Keeps the leases of this process alive until they are released or lost.
 * <p>
 * Leases of equal duration beat together, in calls of {@link LeaseRenewer#BATCH} to the
 * store of each, at the configured interval or at a third of their duration, whichever is
 * shorter. A lease that ends within its first interval is never renewed. Beats run on one
 * scheduler and the watch over local deadlines on another, so that a store that hangs
 * does not hide a loss. Nothing is scheduled while no lease is held.
 */
public final class LeaseHeartbeat {

	private final Map<Duration, LeaseBeat> beats = new ConcurrentHashMap<>();

	private final Duration interval;

	private final ScheduledExecutorService scheduler;

	private final ScheduledExecutorService watch;

	private final Executor notifier;

	private final JobEventPublisher events;

	private final LongSupplier nanoTime;

	/**
	 * Create a heartbeat.
	 * @param interval the longest time between two beats
	 * @param scheduler runs the beats; a store that hangs holds it up
	 * @param watch runs the watch over the deadlines; nothing holds it up
	 * @param notifier tells of each beat, so that a listener that blocks holds nothing up
	 * @param events is told of each beat
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public LeaseHeartbeat(Duration interval, ScheduledExecutorService scheduler, ScheduledExecutorService watch,
			Executor notifier, JobEventPublisher events, LongSupplier nanoTime) {
		Assert.isTrue(interval.toMillis() > 0, "'interval' must be at least a millisecond");
		this.interval = interval;
		this.scheduler = scheduler;
		this.watch = watch;
		this.notifier = notifier;
		this.events = events;
		this.nanoTime = nanoTime;
	}

	/**
	 * Return how many leases this process holds.
	 * @return the number of leases that are kept alive
	 */
	public int size() {
		return this.beats.values().stream().mapToInt((beat) -> beat.leases().size()).sum();
	}

	/**
	 * Return by how much the renewal of a lease that is held here is overdue at the most.
	 * A lease is to be renewed once an interval; what the store cannot renew does not
	 * count. Asks nobody.
	 * @return the longest time, zero if no renewal is overdue
	 */
	public Duration overdue() {
		long now = this.nanoTime.getAsLong();
		return this.beats.values()
			.stream()
			.map((beat) -> beat.overdue(now))
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
	}

	/**
	 * Return whether a renewal is overdue by more than an interval, so that the lease may
	 * soon be lost. Asks nobody.
	 * @return {@code true} if the heartbeat is late
	 */
	public boolean isLate() {
		long now = this.nanoTime.getAsLong();
		return this.beats.values().stream().anyMatch((beat) -> beat.isLate(now));
	}

	void add(LiveLease lease) {
		LeaseBeat added = this.beats.compute(lease.duration(), (duration, beat) -> {
			LeaseBeat result = (beat != null) ? beat : beat(duration);
			result.leases().add(lease);
			return result;
		});
		added.start();
	}

	private LeaseBeat beat(Duration duration) {
		Duration third = duration.dividedBy(3);
		Duration every = (third.compareTo(this.interval) < 0) ? third : this.interval;
		return new LeaseBeat(every, this.scheduler, this.watch,
				(event) -> this.notifier.execute(() -> this.events.publish(event)), this.nanoTime,
				() -> removeIfEmpty(duration));
	}

	/**
	 * Called by a beat at rest. In one step with {@link #add}: either the beat is gone,
	 * with all it has scheduled, or it beats for whoever has joined.
	 */
	private void removeIfEmpty(Duration duration) {
		this.beats.computeIfPresent(duration, (key, beat) -> {
			if (beat.leases().isEmpty()) {
				beat.stop();
				return null;
			}
			beat.startBeating();
			return beat;
		});
	}

	void remove(LiveLease lease) {
		LeaseBeat beat = this.beats.get(lease.duration());
		if (beat != null) {
			beat.leases().remove(lease);
		}
	}

	/**
	 * Renew a lease on the calling thread.
	 * @return {@code false} if it is lost
	 * @throws LeaseUnavailableException if the store gives no answer
	 * @throws UnsupportedOperationException if the store cannot renew
	 */
	boolean renewNow(LiveLease lease) {
		long sentAt = this.nanoTime.getAsLong();
		LeaseRenewer.Renewal answer;
		try {
			answer = lease.renewer().renew(List.of(lease)).get(0);
		}
		catch (RuntimeException ex) {
			throw new LeaseUnavailableException("The store gave no answer to the renewal of " + lease + ": " + ex, ex);
		}
		if (answer == LeaseRenewer.Renewal.NOT_RENEWABLE) {
			throw new UnsupportedOperationException("The store cannot renew " + lease);
		}
		LeaseBeat.apply(lease, answer, sentAt);
		return lease.isHeld();
	}

}
