package io.locket.lease.heartbeat;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.locket.LeaseUnavailableException;
import io.locket.event.publish.JobEventPublisher;

import org.springframework.util.Assert;

/**
 * Heartbeat that renews the leases of this process until they are released or lost.
 * <p>
 * Leases of equal duration are renewed together, in calls of {@link LeaseRenewer#batch()}
 * leases to each store. The interval is the configured one or a third of their duration,
 * if that is shorter. A lease that ends within its first interval is not renewed, unless
 * its store needs an {@link LeaseRenewer#renewsSoon() early renewal}. A lease whose grant
 * took an interval or longer is renewed at once.
 * <p>
 * Renewals run on one scheduler and the watch over local deadlines on another, so that a
 * store that hangs does not hide a loss. A store may have
 * {@linkplain LeaseRenewer#scheduler() a scheduler of its own}. Nothing is scheduled
 * while no lease is held. Thread-safe.
 */
public final class LeaseHeartbeat {

	private final Map<GroupKey, HeartbeatGroup> groups = new ConcurrentHashMap<>();

	private final Duration interval;

	private final ScheduledExecutorService scheduler;

	private final ScheduledExecutorService watch;

	private final Executor notifier;

	private final JobEventPublisher events;

	private final LongSupplier nanoTime;

	private final BatchRenewal renewal;

	/**
	 * Creates a heartbeat.
	 * @param interval the longest time between two beats
	 * @param scheduler the scheduler of the beats, which a hanging store may block
	 * @param watch the scheduler of the watch over the deadlines, which must never be
	 * blocked
	 * @param notifier the executor that publishes each beat, so that a blocking listener
	 * delays nothing else
	 * @param events the publisher of the events
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
		this.renewal = new BatchRenewal(nanoTime);
	}

	/**
	 * Returns the number of leases that this process holds.
	 * @return the number of leases that are renewed
	 */
	public int size() {
		return this.groups.values().stream().mapToInt((group) -> group.leases().size()).sum();
	}

	/**
	 * Returns the longest time by which the renewal of a lease in this process is
	 * overdue. A lease is renewed once an interval. Leases that the store cannot renew do
	 * not count. Does not call the store.
	 * @return the longest time, zero if no renewal is overdue
	 */
	public Duration overdue() {
		long now = this.nanoTime.getAsLong();
		return this.groups.values()
			.stream()
			.map((group) -> group.overdue(now))
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
	}

	/**
	 * Returns whether a renewal is overdue by more than an interval, so that the lease
	 * may soon be lost. Does not call the store.
	 * @return {@code true} if the heartbeat is late
	 */
	public boolean isLate() {
		long now = this.nanoTime.getAsLong();
		return this.groups.values().stream().anyMatch((group) -> group.isLate(now));
	}

	/**
	 * Returns the leases that this process holds.
	 * @return the leases that are renewed
	 */
	public Stream<LiveLease> leases() {
		return this.groups.values().stream().flatMap((group) -> group.leases().stream());
	}

	/**
	 * Renews a lease from now on. If no task can be scheduled, the lease is not renewed
	 * and ends by itself.
	 * @param lease the lease
	 */
	public void add(LiveLease lease) {
		HeartbeatGroup joined = this.groups.compute(keyOf(lease), (key, existing) -> {
			HeartbeatGroup group = (existing != null) ? existing : newGroup(key);
			group.leases().add(lease);
			return group;
		});
		try {
			joined.start(lease);
		}
		catch (RuntimeException | Error ex) {
			// Its caller does not receive it, so it would never be released.
			joined.leases().remove(lease);
			throw ex;
		}
	}

	private GroupKey keyOf(LiveLease lease) {
		ScheduledExecutorService own = lease.renewer().scheduler();
		return new GroupKey(lease.duration(), (own != null) ? own : this.scheduler);
	}

	private HeartbeatGroup newGroup(GroupKey key) {
		Duration third = key.duration().dividedBy(3);
		Duration shorter = (third.compareTo(this.interval) < 0) ? third : this.interval;
		return new HeartbeatGroup(shorter, key.scheduler(), this.watch,
				(event) -> this.notifier.execute(() -> this.events.publish(event)), this.renewal, this.nanoTime,
				() -> removeIfEmpty(key));
	}

	/**
	 * Removes an idle group without leases. This is one step with {@link #add}: either
	 * the group and its tasks are removed, or it continues for a lease that has joined.
	 */
	private void removeIfEmpty(GroupKey key) {
		this.groups.computeIfPresent(key, (same, group) -> {
			if (group.leases().isEmpty()) {
				group.stop();
				return null;
			}
			group.startBeating();
			return group;
		});
		this.renewal.retainOutages(leases());
	}

	void remove(LiveLease lease) {
		HeartbeatGroup group = this.groups.get(keyOf(lease));
		if (group != null) {
			group.leases().remove(lease);
		}
	}

	/**
	 * Renews a lease on the calling thread.
	 * @return {@code false} if it is lost
	 * @throws LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the store cannot renew
	 */
	boolean renewNow(LiveLease lease) {
		long sentAt = this.nanoTime.getAsLong();
		LeaseRenewer.Renewal renewal;
		try {
			renewal = lease.renewer().renew(List.of(lease)).get(0);
		}
		catch (RuntimeException ex) {
			throw new LeaseUnavailableException("Could not renew the " + lease + ". " + ex, ex);
		}
		if (renewal == LeaseRenewer.Renewal.NOT_RENEWABLE) {
			throw new UnsupportedOperationException("The store cannot renew " + lease);
		}
		BatchRenewal.apply(lease, renewal, sentAt);
		return lease.isHeld();
	}

	/**
	 * Key of leases that are renewed together.
	 *
	 * @param duration their duration
	 * @param scheduler the scheduler of their renewals
	 */
	private record GroupKey(Duration duration, ScheduledExecutorService scheduler) {

	}

}
