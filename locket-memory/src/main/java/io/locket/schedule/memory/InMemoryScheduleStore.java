package io.locket.schedule.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.JobQueue;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleRules;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * {@link ScheduleStore} in the memory of one process, for tests. It behaves as the store
 * in Redis, without failures.
 */
public final class InMemoryScheduleStore implements ScheduleStore {

	private final LockSpace space;

	private final JobQueue queue;

	private final MemoryLeases leases;

	private final Map<String, MemorySchedule> entries = new TreeMap<>();

	private long revision;

	/**
	 * Creates a store without schedules.
	 * @param space the lock space, with the clock and the holders of keys
	 * @param queue the queue in memory on the same space
	 */
	public InMemoryScheduleStore(LockSpace space, JobQueue queue) {
		this.space = space;
		this.queue = queue;
		this.leases = new MemoryLeases(space);
	}

	@Override
	public ScheduleSnapshot load() {
		return this.space.atomically(() -> snapshot(List.copyOf(this.entries.keySet())));
	}

	@Override
	public ScheduleSnapshot find(String name) {
		return this.space.atomically(() -> snapshot(this.entries.containsKey(name) ? List.of(name) : List.of()));
	}

	private ScheduleSnapshot snapshot(List<String> names) {
		names.forEach(this::noteEnd);
		return new ScheduleSnapshot(this.revision, now(),
				names.stream().filter(this::isThere).map((name) -> entry(name).schedule()).toList());
	}

	/**
	 * Deletes an entry that has ended long ago, and records the time of an end.
	 */
	private void noteEnd(String name) {
		MemorySchedule entry = entry(name);
		if (hasEnded(entry) && entry.isOutdated(now())) {
			this.entries.remove(name);
		}
		else if (hasEnded(entry) && entry.endedAt() == null) {
			this.entries.put(name, entry.ended(entry.schedule().revision(), now()));
		}
	}

	@Override
	public long revision() {
		return this.space.atomically(() -> this.revision);
	}

	@Override
	public RevisionAt revisionAt() {
		return this.space.atomically(() -> new RevisionAt(this.revision, now()));
	}

	@Override
	public void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner) {
		ScheduleStore.require(definitions, Set.of(ScheduleOrigin.PERSISTENT, ScheduleOrigin.TRANSIENT));
		this.space.atomically(() -> {
			boolean owned = definitions.stream()
				.anyMatch((definition) -> definition.origin() == ScheduleOrigin.TRANSIENT);
			Assert.isTrue(!owned || owner != null, "Transient schedules need the lease of their process");
			Assert.state(!owned || owner == null || this.leases.holds(owner), ScheduleRules.LOST);
			requireFree(definitions);
			return change(definitions, owner, Set.of());
		});
	}

	@Override
	public Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner) {
		ScheduleStore.require(definitions, Set.of(ScheduleOrigin.TRANSIENT));
		return this.space.atomically(() -> {
			Assert.state(this.leases.holds(owner), ScheduleRules.LOST);
			Set<String> taken = definitions.stream()
				.map(ScheduleDefinition::name)
				.filter((name) -> this.entries.containsKey(name) && !isKeptFor(owner, entry(name)))
				.collect(Collectors.toSet());
			List<ScheduleDefinition> missing = definitions.stream()
				.filter((definition) -> !taken.contains(definition.name()) && !isThere(definition.name()))
				.toList();
			change(missing, owner, Set.of());
			return taken;
		});
	}

	private static boolean isKeptFor(LeaseProof owner, MemorySchedule entry) {
		return entry.isOf(owner.digest()) && !entry.removed();
	}

	@Override
	public void replaceAll(String group, Collection<ScheduleDefinition> definitions) {
		ScheduleStore.require(definitions, ScheduleOrigin.PERSISTENT, group);
		this.space.atomically(() -> {
			requireFree(definitions);
			return change(definitions, null, others(ScheduleOrigin.PERSISTENT, group, definitions));
		});
	}

	@Override
	public @Nullable Configured configure(LeaseProof leader, String group, Collection<ScheduleDefinition> definitions) {
		ScheduleStore.require(definitions, ScheduleOrigin.CONFIGURED, group);
		return this.space.atomically(() -> {
			if (!this.leases.holds(leader)) {
				return null;
			}
			Set<String> ended = others(ScheduleOrigin.CONFIGURED, group, definitions);
			Set<String> taken = changeFree(definitions, leader, (entry) -> entry.definition().group().equals(group)
					? entry.origin() != ScheduleOrigin.CONFIGURED : !isOrphaned(entry), ended);
			return new Configured(taken, ended);
		});
	}

	private Set<String> others(ScheduleOrigin origin, String group, Collection<ScheduleDefinition> definitions) {
		Set<String> others = this.entries.values()
			.stream()
			.filter((entry) -> !hasEnded(entry) && entry.origin() == origin && entry.definition().group().equals(group))
			.map((entry) -> entry.schedule().name())
			.collect(Collectors.toSet());
		definitions.forEach((definition) -> others.remove(definition.name()));
		return others;
	}

	/**
	 * Changes schedules, except those whose names are kept by others.
	 * @return the names that are kept
	 */
	private Set<String> changeFree(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner,
			Predicate<MemorySchedule> keepsName, Set<String> removed) {
		Set<String> taken = definitions.stream()
			.map(ScheduleDefinition::name)
			.filter((name) -> isThere(name) && keepsName.test(entry(name)))
			.collect(Collectors.toCollection(LinkedHashSet::new));
		change(definitions.stream().filter((definition) -> !taken.contains(definition.name())).toList(), owner,
				removed);
		return taken;
	}

	private boolean change(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner,
			Set<String> removed) {
		long next = nextRevision();
		List<MemorySchedule> changed = definitions.stream()
			.map((definition) -> MemorySchedule.fresh(definition, next, now(), owner))
			.filter((entry) -> !isThere(entry.schedule().name()) || !entry(entry.schedule().name()).isSameAs(entry))
			.map(this::continued)
			.toList();
		if (changed.isEmpty() && removed.isEmpty()) {
			return false;
		}
		this.revision = next;
		changed.forEach((entry) -> this.entries.put(entry.schedule().name(), entry));
		removed.forEach((name) -> delete(name, owner != null));
		return true;
	}

	/**
	 * Deletes a schedule, or ends it if the leader is not configured with it any more.
	 */
	private void delete(String name, boolean byLeader) {
		MemorySchedule old = entry(name);
		this.entries.remove(name);
		if (byLeader) {
			this.entries.put(name, old.ended(this.revision, now()));
		}
		else if (old.leavesTombstone()) {
			this.entries.put(name, old.asRemoved(now()));
		}
	}

	private MemorySchedule continued(MemorySchedule changed) {
		MemorySchedule old = this.entries.get(changed.schedule().name());
		if (old == null) {
			return changed;
		}
		MemorySchedule successor = changed.inPlaceOf(old);
		boolean ended = hasEnded(old);
		return (ended && !changed.bringsBack(old)) ? successor : successor.after(old, ended && old.owner() != null);
	}

	private long nextRevision() {
		return Math.max(this.revision + 1, this.space.now());
	}

	@Override
	public boolean remove(String name) {
		return this.space.atomically(() -> {
			if (!isThereOrHasEnded(name)) {
				return false;
			}
			boolean there = isThere(name);
			Assert.isTrue(!there || entry(name).origin() != ScheduleOrigin.CONFIGURED || isOrphaned(entry(name)),
					() -> ScheduleRules.configured(name));
			change(List.of(), null, Set.of(name));
			return there;
		});
	}

	@Override
	public boolean pause(String name) {
		return update(name, (entry) -> entry.schedule().paused() ? entry : entry.paused(nextRevision()));
	}

	@Override
	public boolean resume(String name) {
		return update(name, (entry) -> (entry.schedule().paused() || entry.isAhead(now()))
				? entry.resumed(nextRevision(), now()) : entry);
	}

	private boolean update(String name, UnaryOperator<MemorySchedule> change) {
		return this.space.atomically(() -> {
			if (!isThereOrHasEnded(name)) {
				return false;
			}
			MemorySchedule changed = change.apply(entry(name));
			if (changed != entry(name)) {
				this.revision = nextRevision();
				this.entries.put(name, changed);
			}
			return isThere(name);
		});
	}

	@Override
	public FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings) {
		Assert.isTrue(firings.size() <= BATCH, () -> "At most " + BATCH + " firings can be requested at once");
		return this.space.atomically(() -> {
			boolean leads = this.leases.holds(leader);
			List<FiringResult> results = firings.stream()
				.map((firing) -> leads ? fire(leader, ttl, firing) : FiringResult.Refused.NOT_LEADER)
				.toList();
			return new FiringReply(now(), results);
		});
	}

	private FiringResult fire(LeaseProof leader, Duration ttl, Firing firing) {
		if (!isThere(firing.schedule())) {
			return FiringResult.Refused.CHANGED;
		}
		MemorySchedule entry = entry(firing.schedule());
		FiringResult known = entry.knownResult(firing, now());
		if (known != null) {
			return known;
		}
		EnqueueResult result = this.queue.enqueue(List.of(firing.job())).get(0);
		this.entries.put(firing.schedule(), entry.fired(firing.time(), result));
		this.leases.renew(leader, ttl);
		return new FiringResult.Fired(result);
	}

	/**
	 * Deletes a schedule without a trace.
	 * @param name its name
	 */
	public void forget(String name) {
		this.space.atomically(() -> this.entries.remove(name) != null);
	}

	/**
	 * Deletes all schedules.
	 */
	public void clear() {
		this.space.atomically(() -> {
			this.revision = nextRevision();
			this.entries.clear();
			return true;
		});
	}

	private Instant now() {
		return Instant.ofEpochMilli(this.space.now());
	}

	private MemorySchedule entry(String name) {
		MemorySchedule entry = this.entries.get(name);
		Assert.state(entry != null, () -> "There is no schedule '" + name + "'");
		return entry;
	}

	private boolean isThereOrHasEnded(String name) {
		MemorySchedule entry = this.entries.get(name);
		return entry != null && !entry.removed();
	}

	private boolean isThere(String name) {
		MemorySchedule entry = this.entries.get(name);
		return entry != null && !hasEnded(entry);
	}

	private boolean hasEnded(MemorySchedule entry) {
		return entry.removed() || (entry.owner() != null && !this.leases.holds(entry.owner()))
				|| (entry.leaders() != null && entry.endedAt() != null);
	}

	private boolean isOrphaned(MemorySchedule entry) {
		return entry.leaders() != null && !this.leases.isHeld(entry.leaders());
	}

	private void requireFree(Collection<ScheduleDefinition> definitions) {
		for (ScheduleDefinition definition : definitions) {
			String name = definition.name();
			String group = (isThere(name) && !isOrphaned(entry(name))) ? entry(name).definition().group()
					: definition.group();
			Assert.isTrue(group.equals(definition.group()), () -> ScheduleRules.taken(name, group));
		}
	}

}
