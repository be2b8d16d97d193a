package io.locket.schedule.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobQueue;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleBook;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Schedules in the memory of one process, for tests: what the schedules in Redis do,
 * without anything that may fail.
 */
public final class InMemoryScheduleStore implements ScheduleStore {

	private static final String LOST = "The lease of this process is lost: nothing was put";

	private final LockSpace space;

	private final JobQueue queue;

	private final Map<String, Entry> entries = new TreeMap<>();

	private long revision;

	/**
	 * Create a store without schedules.
	 * @param space tells the time, and who has which key
	 * @param queue the queue in memory on the same space
	 */
	public InMemoryScheduleStore(LockSpace space, JobQueue queue) {
		this.space = space;
		this.queue = queue;
	}

	@Override
	public ScheduleBook load() {
		return this.space.atomically(() -> new ScheduleBook(this.revision, now(),
				this.entries.values().stream().filter((entry) -> !hasEnded(entry)).map(Entry::schedule).toList()));
	}

	@Override
	public long revision() {
		return this.space.atomically(() -> this.revision);
	}

	@Override
	public void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner) {
		requireOrigins(definitions, Set.of(ScheduleOrigin.PERSISTENT, ScheduleOrigin.TRANSIENT));
		this.space.atomically(() -> {
			boolean owned = definitions.stream()
				.anyMatch((definition) -> definition.origin() == ScheduleOrigin.TRANSIENT);
			Assert.isTrue(!owned || owner != null, "Transient schedules need the lease of their process");
			Assert.state(!owned || owner == null || holds(owner), LOST);
			requireFree(definitions);
			return change(definitions, owner, Set.of());
		});
	}

	@Override
	public Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner) {
		requireOrigins(definitions, Set.of(ScheduleOrigin.TRANSIENT));
		return this.space.atomically(() -> {
			Assert.state(holds(owner), LOST);
			Set<String> taken = definitions.stream()
				.map(ScheduleDefinition::name)
				.filter((name) -> isThere(name) && !entry(name).isOf(owner.digest()))
				.collect(Collectors.toCollection(LinkedHashSet::new));
			change(definitions.stream().filter((definition) -> !taken.contains(definition.name())).toList(), owner,
					Set.of());
			return taken;
		});
	}

	@Override
	public @Nullable Set<String> owned(LeaseProof owner) {
		return this.space.atomically(() -> holds(owner) ? this.entries.values()
			.stream()
			.filter((entry) -> owner.equals(entry.owner()))
			.map((entry) -> entry.schedule().name())
			.collect(Collectors.toSet()) : null);
	}

	@Override
	public void replaceAll(Collection<ScheduleDefinition> definitions) {
		requireOrigins(definitions, Set.of(ScheduleOrigin.PERSISTENT));
		this.space.atomically(() -> {
			requireFree(definitions);
			return change(definitions, null, others(ScheduleOrigin.PERSISTENT, definitions));
		});
	}

	@Override
	public @Nullable Set<String> configure(LeaseProof leader, Collection<ScheduleDefinition> definitions) {
		requireOrigins(definitions, Set.of(ScheduleOrigin.CONFIGURED));
		return this.space.atomically(() -> {
			if (!holds(leader)) {
				return null;
			}
			Set<String> taken = definitions.stream()
				.map(ScheduleDefinition::name)
				.filter((name) -> isThere(name) && entry(name).origin() != ScheduleOrigin.CONFIGURED)
				.collect(Collectors.toCollection(LinkedHashSet::new));
			change(definitions.stream().filter((definition) -> !taken.contains(definition.name())).toList(), null,
					others(ScheduleOrigin.CONFIGURED, definitions));
			return taken;
		});
	}

	private Set<String> others(ScheduleOrigin origin, Collection<ScheduleDefinition> definitions) {
		Set<String> others = this.entries.values()
			.stream()
			.filter((entry) -> entry.origin() == origin || hasEnded(entry))
			.map((entry) -> entry.schedule().name())
			.collect(Collectors.toSet());
		definitions.forEach((definition) -> others.remove(definition.name()));
		return others;
	}

	private boolean change(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner,
			Set<String> removed) {
		List<Entry> changed = definitions.stream()
			.map((definition) -> new Entry(fresh(definition),
					(definition.origin() == ScheduleOrigin.TRANSIENT) ? owner : null))
			.filter((entry) -> !isThere(entry.schedule().name()) || !entry(entry.schedule().name()).isSameAs(entry))
			.map((entry) -> isKept(entry) ? entry.after(entry(entry.schedule().name())) : entry)
			.toList();
		if (changed.isEmpty() && removed.isEmpty()) {
			return false;
		}
		this.revision++;
		changed.forEach((entry) -> this.entries.put(entry.schedule().name(), entry));
		this.entries.keySet().removeAll(removed);
		return true;
	}

	/**
	 * A process that comes back finds its schedules as they were.
	 */
	private boolean isKept(Entry changed) {
		Entry old = this.entries.get(changed.schedule().name());
		return old != null && (!hasEnded(old) || (changed.owner() != null && old.isOf(changed.owner().digest())));
	}

	private StoredSchedule fresh(ScheduleDefinition definition) {
		return new StoredSchedule(definition, this.revision + 1, false, now(), now(), null, null);
	}

	@Override
	public boolean remove(String name) {
		return this.space.atomically(() -> {
			if (!isThere(name)) {
				return false;
			}
			Assert.isTrue(entry(name).origin() != ScheduleOrigin.CONFIGURED,
					() -> "Configured schedules change with the configuration of the leader only: " + name);
			return change(List.of(), null, Set.of(name));
		});
	}

	@Override
	public boolean pause(String name) {
		return update(name,
				(schedule) -> schedule.paused() ? schedule
						: new StoredSchedule(schedule.definition(), this.revision + 1, true, schedule.knownSince(),
								schedule.firesAfter(), schedule.lastFired(), schedule.lastResult()));
	}

	@Override
	public boolean resume(String name) {
		return update(name,
				(schedule) -> !schedule.paused() ? schedule
						: new StoredSchedule(schedule.definition(), this.revision + 1, false, schedule.knownSince(),
								latest(schedule.firesAfter(), now()), schedule.lastFired(), schedule.lastResult()));
	}

	/**
	 * The clock may have run back.
	 */
	private static Instant latest(Instant one, Instant other) {
		return one.isAfter(other) ? one : other;
	}

	private boolean update(String name, UnaryOperator<StoredSchedule> change) {
		return this.space.atomically(() -> {
			if (!isThere(name)) {
				return false;
			}
			Entry entry = entry(name);
			StoredSchedule changed = change.apply(entry.schedule());
			if (changed != entry.schedule()) {
				this.revision++;
				this.entries.put(name, new Entry(changed, entry.owner()));
			}
			return true;
		});
	}

	@Override
	public FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings) {
		Assert.isTrue(firings.size() <= BATCH, () -> "At most " + BATCH + " firings are asked for at once");
		return this.space.atomically(() -> {
			boolean leads = holds(leader);
			List<FiringResult> results = firings.stream()
				.map((firing) -> leads ? fire(leader, ttl, firing) : FiringResult.Refused.NOT_LEADER)
				.toList();
			return new FiringReply(now(), results);
		});
	}

	/**
	 * A lease whose holder keeps it needs no renewal.
	 */
	private void renew(LeaseProof leader, Duration ttl) {
		KeyLock lock = this.space.lock(leader.digest());
		if (lock != null && lock.keptFor() == null) {
			this.space.put(leader.digest(), lock.until(this.space.now() + ttl.toMillis()));
		}
	}

	private FiringResult fire(LeaseProof leader, Duration ttl, Firing firing) {
		if (!isThere(firing.schedule())) {
			if (this.entries.remove(firing.schedule()) != null) {
				this.revision++;
			}
			return FiringResult.Refused.CHANGED;
		}
		Entry entry = entry(firing.schedule());
		StoredSchedule schedule = entry.schedule();
		EnqueueResult lastResult = schedule.lastResult();
		if (firing.time().equals(schedule.lastFired()) && lastResult != null) {
			return new FiringResult.Fired(lastResult);
		}
		if (schedule.revision() != firing.revision() || schedule.paused() || !schedule.definition().enabled()) {
			return FiringResult.Refused.CHANGED;
		}
		Instant last = schedule.lastFired();
		if (!firing.time().isAfter(schedule.firesAfter()) || (last != null && firing.time().isBefore(last))) {
			return FiringResult.Refused.PAST;
		}
		if (firing.time().isAfter(now())) {
			return FiringResult.Refused.EARLY;
		}
		EnqueueResult result = this.queue.enqueue(List.of(firing.job())).get(0);
		this.entries.put(firing.schedule(), new Entry(new StoredSchedule(schedule.definition(), schedule.revision(),
				false, schedule.knownSince(), schedule.firesAfter(), firing.time(), result), entry.owner()));
		renew(leader, ttl);
		return new FiringResult.Fired(result);
	}

	/**
	 * Forget every schedule.
	 */
	public void clear() {
		this.space.atomically(() -> {
			this.revision++;
			this.entries.clear();
			return true;
		});
	}

	private Instant now() {
		return Instant.ofEpochMilli(this.space.now());
	}

	private Entry entry(String name) {
		Entry entry = this.entries.get(name);
		Assert.state(entry != null, () -> "There is no schedule '" + name + "'");
		return entry;
	}

	private boolean isThere(String name) {
		Entry entry = this.entries.get(name);
		return entry != null && !hasEnded(entry);
	}

	private boolean hasEnded(Entry entry) {
		return entry.owner() != null && !holds(entry.owner());
	}

	private boolean holds(LeaseProof proof) {
		KeyLock lock = this.space.lock(proof.digest());
		return lock != null && lock.holder().fencingToken() == proof.fencingToken();
	}

	private static void requireOrigins(Collection<ScheduleDefinition> definitions, Set<ScheduleOrigin> allowed) {
		definitions.forEach((definition) -> Assert.isTrue(allowed.contains(definition.origin()),
				() -> definition + " is " + definition.origin() + ", which cannot be put so"));
		Assert.isTrue(definitions.stream().map(ScheduleDefinition::name).distinct().count() == definitions.size(),
				"Two schedules have the same name");
	}

	private void requireFree(Collection<ScheduleDefinition> definitions) {
		List<String> taken = definitions.stream()
			.map(ScheduleDefinition::name)
			.filter((name) -> isThere(name) && entry(name).origin() == ScheduleOrigin.CONFIGURED)
			.toList();
		Assert.isTrue(taken.isEmpty(),
				() -> "Configured schedules change with the configuration of the leader only: " + taken);
	}

	/**
	 * A schedule, and the lease with which it ends.
	 */
	private record Entry(StoredSchedule schedule, @Nullable LeaseProof owner) {

		ScheduleOrigin origin() {
			return this.schedule.definition().origin();
		}

		boolean isSameAs(Entry other) {
			return this.schedule.definition().equals(other.schedule().definition())
					&& Objects.equals(this.owner, other.owner());
		}

		boolean isOf(String digest) {
			return this.owner != null && this.owner.digest().equals(digest);
		}

		/**
		 * Keep what a change does not touch.
		 */
		Entry after(Entry old) {
			StoredSchedule before = old.schedule();
			return new Entry(
					new StoredSchedule(this.schedule.definition(), this.schedule.revision(), before.paused(),
							before.knownSince(), this.schedule.firesAfter(), before.lastFired(), before.lastResult()),
					this.owner);
		}

	}

}
