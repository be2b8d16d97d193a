package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.locket.queue.EnqueueResult;
import io.locket.schedule.Firing;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import org.jspecify.annotations.Nullable;

/**
 * Model of schedules and leases, based only on the requests and not on a store. It
 * computes the times that have to fire, by counting them.
 */
final class ScheduleModel {

	static final Duration MISFIRE_AFTER = Duration.ofSeconds(5);

	static final Duration CATCH_UP = Duration.ofMinutes(1);

	private final Map<String, Entry> entries = new TreeMap<>();

	private final Map<String, Held> leases = new HashMap<>();

	private final Set<String> accepted = new HashSet<>();

	Instant now;

	ScheduleModel(Instant now) {
		this.now = now;
	}

	Set<String> names() {
		return Set.copyOf(this.entries.keySet());
	}

	void hold(LeaseProof proof, Duration period) {
		this.leases.put(proof.digest(), new Held(proof, this.now.plus(period)));
	}

	void release(LeaseProof proof) {
		this.leases.remove(proof.digest());
	}

	/**
	 * Returns the leases that have expired, and that do not return when the clock jumps
	 * back.
	 */
	List<LeaseProof> expired() {
		return this.leases.values().stream().map(Held::proof).filter((proof) -> !holds(proof)).toList();
	}

	boolean holds(LeaseProof proof) {
		Held held = this.leases.get(proof.digest());
		return held != null && held.proof().equals(proof) && this.now.isBefore(held.until());
	}

	/**
	 * Returns the jobs that have to exist.
	 */
	Set<String> accepted() {
		return this.accepted;
	}

	boolean isTaken(ScheduleDefinition definition) {
		Entry entry = this.entries.get(definition.name());
		return entry != null && isAlive(entry) && definition.origin() == ScheduleOrigin.CONFIGURED
				&& entry.definition.origin() != ScheduleOrigin.CONFIGURED;
	}

	private boolean isAlive(Entry entry) {
		return !entry.ended && (entry.owner == null || holds(entry.owner));
	}

	void put(ScheduleDefinition definition, @Nullable LeaseProof process) {
		LeaseProof owner = (definition.origin() == ScheduleOrigin.TRANSIENT) ? process : null;
		Entry old = this.entries.get(definition.name());
		if (old == null || (!isAlive(old) && !old.ended && owner == null)) {
			this.entries.put(definition.name(), new Entry(definition, owner, this.now));
		}
		else if (!isAlive(old) && !old.ended) {
			// The schedule of a process returns, with its former state.
			old.firesAfter = this.now;
			old.forgetUnsettled();
			old.definition = definition;
			old.owner = owner;
		}
		else if (old.ended || !old.definition.equals(definition) || old.owner != owner) {
			if (old.beginsAnew(definition)) {
				old.firesAfter = this.now;
				old.forgetUnsettled();
			}
			old.definition = definition;
			old.owner = owner;
			old.ended = false;
		}
	}

	/**
	 * Removes the other persistent schedules.
	 */
	void retain(List<ScheduleDefinition> definitions) {
		others(ScheduleOrigin.PERSISTENT, definitions).forEach(this.entries::remove);
	}

	/**
	 * Ends the other configured schedules. They stay for an hour, as those of a process
	 * that has ended do, because they may return. An hour is longer than a trial.
	 * @return their names
	 */
	Set<String> end(List<ScheduleDefinition> definitions) {
		Set<String> others = others(ScheduleOrigin.CONFIGURED, definitions);
		others.forEach((name) -> this.entries.get(name).ended = true);
		return others;
	}

	private Set<String> others(ScheduleOrigin origin, List<ScheduleDefinition> definitions) {
		Set<String> others = new TreeSet<>();
		this.entries.forEach((name, entry) -> {
			if (entry.definition.origin() == origin && !entry.ended) {
				others.add(name);
			}
		});
		definitions.forEach((definition) -> others.remove(definition.name()));
		return others;
	}

	boolean isConfigured(String name) {
		Entry entry = this.entries.get(name);
		return entry != null && entry.definition.origin() == ScheduleOrigin.CONFIGURED && !entry.ended;
	}

	/**
	 * Returns the last firings, of which the store keeps a copy.
	 */
	Map<String, Optional<Instant>> lastFirings() {
		Map<String, Optional<Instant>> last = new TreeMap<>();
		this.entries.forEach((name, entry) -> last.put(name, Optional.ofNullable(entry.lastFired)));
		return last;
	}

	/**
	 * Loses the firings since a copy, which may happen once more. No schedule has changed
	 * meanwhile.
	 */
	void failOver(Map<String, Optional<Instant>> last) {
		last.forEach((name, time) -> {
			Entry entry = this.entries.get(name);
			entry.lastFired = time.orElse(null);
			entry.forgetUnsettled();
		});
	}

	void remove(String name) {
		this.entries.remove(name);
	}

	void pause(String name, boolean paused) {
		Entry entry = this.entries.get(name);
		if (entry == null) {
			return;
		}
		boolean ahead = entry.settled().isAfter(this.now) || entry.knownSince.isAfter(this.now);
		if (!paused && (entry.paused || ahead)) {
			entry.firesAfter = this.now;
			entry.knownSince = entry.knownSince.isAfter(this.now) ? this.now : entry.knownSince;
			if (entry.lastFired != null && entry.lastFired.isAfter(this.now)) {
				entry.lastFired = null;
			}
			entry.forgetUnsettled();
		}
		entry.paused = paused;
	}

	/**
	 * Handles a time that a store has reported as fired, now or before.
	 * @param leader the leader that requested it
	 * @param complete whether no time may be missing that the rules require
	 * @return {@code false} if it had fired before
	 * @throws AssertionError if it must not have fired
	 */
	boolean fired(LeaseProof leader, Duration ttl, Firing firing, EnqueueResult result, boolean complete) {
		String id = firing.job().id();
		Entry entry = this.entries.get(firing.schedule());
		require(holds(leader), "%s fires by one who does not lead", id);
		require(entry != null && isAlive(entry), "%s fires, and its schedule is not there", id);
		if (entry.fired.containsKey(firing.time())) {
			require(result.equals(entry.fired.get(firing.time())), "%s fires again: %s", id, result);
			return false;
		}
		require(entry.definition.enabled() && !entry.paused, "%s fires, and is disabled or paused", id);
		require(firing.time().isAfter(entry.firesAfter), "%s fires for a time before its change", id);
		require(entry.lastFired == null || firing.time().isAfter(entry.lastFired), "%s fires after a later time", id);
		require(!firing.time().isAfter(this.now), "%s fires early, at %d", id, this.now.toEpochMilli());
		require(entry.times(firing.time().minusMillis(1), firing.time()).contains(firing.time()),
				"%s is no time of its schedule", id);
		EnqueueResult forgotten = entry.forgotten.remove(firing.time());
		require(!(forgotten instanceof EnqueueResult.Accepted) || result.equals(forgotten), "%s is enqueued again: %s",
				id, result);
		if (complete) {
			entry.times(entry.settled(), firing.time().minusMillis(1))
				.forEach((time) -> require(entry.mayBeMissing(time, firing.time(), this.now),
						"%s fires, and %d is left out", id, time.toEpochMilli()));
		}
		hold(leader, ttl);
		entry.fired.put(firing.time(), result);
		entry.lastFired = firing.time();
		if (result instanceof EnqueueResult.Accepted) {
			this.accepted.add(id);
		}
		return true;
	}

	/**
	 * Returns exactly the firings that a leader has to request now.
	 */
	Set<String> due() {
		Set<String> due = new LinkedHashSet<>();
		this.entries.forEach((name, entry) -> {
			if (isAlive(entry) && entry.definition.enabled() && !entry.paused) {
				entry.due(this.now).forEach((time) -> due.add(Firing.id(name, time)));
			}
		});
		return due;
	}

	private static void require(boolean condition, String message, Object... args) {
		if (!condition) {
			throw new AssertionError(String.format(message, args));
		}
	}

	private record Held(LeaseProof proof, Instant until) {

	}

	private static final class Entry {

		private Instant knownSince;

		private final Map<Instant, EnqueueResult> fired = new HashMap<>();

		/**
		 * Firings by a clock that was ahead, or that were lost. They may happen once
		 * more. A job that was enqueued is the same then; a duplicate may be accepted.
		 */
		private final Map<Instant, EnqueueResult> forgotten = new HashMap<>();

		private ScheduleDefinition definition;

		private @Nullable LeaseProof owner;

		private Instant firesAfter;

		private boolean paused;

		/**
		 * Whether it was configured, and its leader is not configured with it any more.
		 */
		private boolean ended;

		private @Nullable Instant lastFired;

		Entry(ScheduleDefinition definition, @Nullable LeaseProof owner, Instant now) {
			this.definition = definition;
			this.owner = owner;
			this.knownSince = now;
			this.firesAfter = now;
		}

		/**
		 * Forgets the firings for times that may fire again, because the clock has jumped
		 * back before a change.
		 */
		void forgetUnsettled() {
			Instant settled = settled();
			this.fired.forEach((time, result) -> {
				if (time.isAfter(settled)) {
					this.forgotten.put(time, result);
				}
			});
			this.fired.keySet().removeAll(this.forgotten.keySet());
		}

		boolean beginsAnew(ScheduleDefinition changed) {
			return (changed.enabled() && !this.definition.enabled())
					|| !Objects.equals(changed.cron(), this.definition.cron())
					|| !Objects.equals(changed.every(), this.definition.every());
		}

		/**
		 * Returns the time up to which nothing fires any more.
		 */
		Instant settled() {
			return Stream.ofNullable(this.lastFired)
				.filter((last) -> last.isAfter(this.firesAfter))
				.findFirst()
				.orElse(this.firesAfter);
		}

		Duration catchUp() {
			return (this.definition.catchUp() != null) ? this.definition.catchUp() : CATCH_UP;
		}

		/**
		 * Returns whether a time may be left out before another one fires.
		 */
		boolean mayBeMissing(Instant time, Instant next, Instant now) {
			boolean late = time.plus(MISFIRE_AFTER).isBefore(now);
			boolean tooLate = late && time.plus(catchUp()).isBefore(now);
			return switch (this.definition.misfire()) {
				case SKIP -> late;
				case LATEST -> tooLate || next.plus(MISFIRE_AFTER).isBefore(now);
				case ALL -> tooLate;
			};
		}

		List<Instant> due(Instant now) {
			List<Instant> onTime = new ArrayList<>();
			List<Instant> missed = new ArrayList<>();
			for (Instant time : times(settled(), now)) {
				Duration late = Duration.between(time, now);
				if (late.compareTo(MISFIRE_AFTER) <= 0) {
					onTime.add(time);
				}
				else if (late.compareTo(catchUp()) <= 0) {
					missed.add(time);
				}
			}
			int made = switch (this.definition.misfire()) {
				case SKIP -> missed.size();
				case LATEST -> Math.max(0, missed.size() - 1);
				case ALL -> 0;
			};
			return Stream.concat(missed.subList(made, missed.size()).stream(), onTime.stream()).toList();
		}

		/**
		 * Returns the times in a span: those of an interval, or those of certain seconds
		 * of each minute.
		 */
		List<Instant> times(Instant after, Instant upTo) {
			long begin = after.toEpochMilli() + 1;
			long end = upTo.toEpochMilli();
			Duration every = this.definition.every();
			LongStream times;
			if (every != null) {
				long since = this.knownSince.toEpochMilli();
				long first = Math.max(1, Math.floorDiv(begin - since - 1, every.toMillis()) + 1);
				times = LongStream.iterate(since + first * every.toMillis(), (time) -> time <= end,
						(time) -> time + every.toMillis());
			}
			else {
				long step = Long.parseLong(this.definition.cron().split("[/ ]")[1]);
				times = LongStream.rangeClosed(Math.floorDiv(begin + 999, 1000), Math.floorDiv(end, 1000))
					.filter((second) -> second % 60 % step == 0)
					.map((second) -> second * 1000);
			}
			return times.mapToObj(Instant::ofEpochMilli).toList();
		}

	}

}
