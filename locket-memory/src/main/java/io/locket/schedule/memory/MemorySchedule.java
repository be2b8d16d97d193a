package io.locket.schedule.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.locket.queue.EnqueueResult;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

/**
 * Entry of the store in memory.
 *
 * @param schedule the schedule
 * @param owner the lease with which it ends, or {@code null}
 * @param leaders the digest of its leaders' lease if it is configured, else {@code null}
 * @param displaces whether another process has had a transient schedule of this name
 * before
 * @param removed whether it is only a tombstone for processes that have had the name
 * @param endedAt the time when it ended or was first loaded after its end, or
 * {@code null}
 */
record MemorySchedule(StoredSchedule schedule, @Nullable LeaseProof owner, @Nullable String leaders, boolean displaces,
		boolean removed, @Nullable Instant endedAt) {

	/**
	 * Lifetime of an entry after its end, unless it is paused.
	 */
	private static final Duration NOTE = Duration.ofHours(1);

	/**
	 * Lifetime of a paused entry after its end.
	 */
	private static final Duration PAUSE = Duration.ofDays(7);

	/**
	 * Creates the entry of a new schedule.
	 */
	static MemorySchedule fresh(ScheduleDefinition definition, long revision, Instant now, @Nullable LeaseProof owner) {
		return new MemorySchedule(new StoredSchedule(definition, revision, false, now, now, null, null),
				(definition.origin() == ScheduleOrigin.TRANSIENT) ? owner : null,
				(definition.origin() == ScheduleOrigin.CONFIGURED && owner != null) ? owner.digest() : null, false,
				false, null);
	}

	private MemorySchedule with(StoredSchedule changed) {
		return new MemorySchedule(changed, this.owner, this.leaders, this.displaces, this.removed, this.endedAt);
	}

	/**
	 * Returns this entry in the place of an earlier one of its name.
	 */
	MemorySchedule inPlaceOf(MemorySchedule old) {
		boolean foreign = old.owner != null && (this.owner == null || !old.isOf(this.owner.digest()));
		return new MemorySchedule(this.schedule, this.owner, this.leaders, foreign || old.displaces, this.removed,
				this.endedAt);
	}

	/**
	 * Returns whether a tombstone of this entry stays, so that no process puts it again.
	 */
	boolean leavesTombstone() {
		return this.owner != null || this.displaces;
	}

	ScheduleDefinition definition() {
		return this.schedule.definition();
	}

	ScheduleOrigin origin() {
		return definition().origin();
	}

	boolean isSameAs(MemorySchedule other) {
		return definition().equals(other.definition()) && Objects.equals(this.owner, other.owner())
				&& Objects.equals(this.leaders, other.leaders());
	}

	boolean isOf(String digest) {
		return this.owner != null && this.owner.digest().equals(digest);
	}

	/**
	 * Returns whether this entry continues a schedule that has ended: a configured one of
	 * its group, an equal one, or one of the same process.
	 */
	boolean bringsBack(MemorySchedule ended) {
		if (!ended.removed() && ended.origin() == ScheduleOrigin.CONFIGURED) {
			return ended.definition().group().equals(definition().group());
		}
		return this.owner != null && !ended.removed()
				&& (ended.isOf(this.owner.digest()) || definition().equals(ended.schedule().definition()));
	}

	/**
	 * Continues the previous schedule of the name.
	 * @param lostProcess whether the process of that has ended meanwhile
	 */
	MemorySchedule after(MemorySchedule old, boolean lostProcess) {
		StoredSchedule before = old.schedule();
		boolean begins = lostProcess || (definition().enabled() && !old.definition().enabled())
				|| !firesAs(old.definition());
		Instant firesAfter = begins ? this.schedule.firesAfter() : before.firesAfter();
		return with(new StoredSchedule(definition(), this.schedule.revision(), before.paused(), before.knownSince(),
				firesAfter, before.lastFired(), before.lastResult()));
	}

	private boolean firesAs(ScheduleDefinition other) {
		return Objects.equals(definition().cron(), other.cron()) && Objects.equals(definition().every(), other.every())
				&& (definition().cron() == null || definition().zone().equals(other.zone()));
	}

	/**
	 * Returns its tombstone.
	 */
	MemorySchedule asRemoved(Instant now) {
		return new MemorySchedule(
				new StoredSchedule(definition(), this.schedule.revision(), false, now, now, null, null), this.owner,
				null, false, true, now);
	}

	/**
	 * Returns it after its end.
	 */
	MemorySchedule ended(long revision, Instant now) {
		return new MemorySchedule(
				new StoredSchedule(definition(), revision, this.schedule.paused(), this.schedule.knownSince(),
						this.schedule.firesAfter(), this.schedule.lastFired(), this.schedule.lastResult()),
				this.owner, this.leaders, this.displaces, this.removed, now);
	}

	/**
	 * Returns whether it ended so long ago that it is not put again.
	 */
	boolean isOutdated(Instant now) {
		Duration kept = this.schedule.paused() ? PAUSE : NOTE;
		return this.endedAt != null && !now.isBefore(this.endedAt.plus(kept));
	}

	MemorySchedule paused(long revision) {
		return with(new StoredSchedule(definition(), revision, true, this.schedule.knownSince(),
				this.schedule.firesAfter(), this.schedule.lastFired(), this.schedule.lastResult()));
	}

	/**
	 * Returns whether it was changed or fired by a clock that was ahead.
	 */
	boolean isAhead(Instant now) {
		return this.schedule.firesAfter().isAfter(now) || this.schedule.knownSince().isAfter(now) || hasFiredAfter(now);
	}

	private boolean hasFiredAfter(Instant now) {
		Instant last = this.schedule.lastFired();
		return last != null && last.isAfter(now);
	}

	MemorySchedule resumed(long revision, Instant now) {
		boolean forgets = hasFiredAfter(now);
		Instant since = this.schedule.knownSince();
		return with(new StoredSchedule(definition(), revision, false, since.isAfter(now) ? now : since, now,
				forgets ? null : this.schedule.lastFired(), forgets ? null : this.schedule.lastResult()));
	}

	/**
	 * Returns the result of a firing that is already known or not possible, or
	 * {@code null} if it is possible.
	 */
	@Nullable FiringResult knownResult(Firing firing, Instant now) {
		Instant last = this.schedule.lastFired();
		EnqueueResult lastResult = this.schedule.lastResult();
		if (firing.time().equals(last) && lastResult != null) {
			return new FiringResult.Fired(lastResult);
		}
		if (this.schedule.revision() != firing.revision() || this.schedule.paused() || !definition().enabled()
				|| hasLost(firing.lastFired())) {
			return FiringResult.Refused.CHANGED;
		}
		if (!firing.time().isAfter(this.schedule.firesAfter()) || (last != null && firing.time().isBefore(last))) {
			return FiringResult.Refused.PAST;
		}
		if (firing.time().isAfter(now)) {
			return FiringResult.Refused.EARLY;
		}
		return now.isAfter(firing.latest()) ? FiringResult.Refused.LATE : null;
	}

	private boolean hasLost(@Nullable Instant fired) {
		Instant last = this.schedule.lastFired();
		return fired != null && (last == null || last.isBefore(fired));
	}

	MemorySchedule fired(Instant time, EnqueueResult result) {
		return with(new StoredSchedule(definition(), this.schedule.revision(), false, this.schedule.knownSince(),
				this.schedule.firesAfter(), time, result));
	}

}
