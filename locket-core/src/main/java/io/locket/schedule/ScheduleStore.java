package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Port to the schedules of a namespace, which also enqueues their jobs. Each call that
 * changes something is one atomic step, which may be repeated. Every method throws a
 * {@link io.locket.queue.QueueUnavailableException} if the store does not reply.
 * Thread-safe.
 * <p>
 * A schedule belongs to a group. Other groups can neither change nor replace it. They can
 * read it, pause it and, unless it is configured, remove it.
 */
public interface ScheduleStore {

	/**
	 * Maximum number of firings in a call.
	 */
	int BATCH = 100;

	/**
	 * Maximum number of schedules in a put.
	 */
	int MOST = 5000;

	/**
	 * Returns all schedules of all groups, except those that have ended. Some may be
	 * outdated if they are changed concurrently. The returned revision is never later
	 * than the returned schedules.
	 * @return the schedules
	 */
	ScheduleSnapshot load();

	/**
	 * Returns a schedule.
	 * @param name its name
	 * @return that schedule alone, or none
	 */
	ScheduleSnapshot find(String name);

	/**
	 * Returns the revision, with the cheapest possible call.
	 * @return the revision, {@code 0} if nothing was ever put
	 */
	long revision();

	/**
	 * Returns the revision with the time of the store, with a cheap call. The store
	 * replies also while it cannot reply to {@link #load()}, because a slot of a cluster
	 * moves.
	 * @return the revision and the time
	 */
	RevisionAt revisionAt();

	/**
	 * Puts schedules. They replace those of the same names in their groups, even
	 * configured ones. An identical schedule is left unchanged. A changed schedule keeps
	 * its pause and its times. If its times change, or if it was disabled, no time up to
	 * now fires any more.
	 * @param definitions the schedules, persistent or transient, at most {@link #MOST}
	 * @param owner the process with which the transient ones end; {@code null} only if
	 * there are none
	 * @throws IllegalArgumentException if another group has one of the names; nothing is
	 * put then
	 * @throws IllegalStateException if the lease of the process does not hold; nothing is
	 * put then
	 */
	void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner);

	/**
	 * Puts transient schedules again that may have ended because their process had lost
	 * its lease, or that the store may have lost. Schedules that were removed, or whose
	 * names are used by others, are not put. The others keep their pause and their last
	 * firing, if these are still known. Existing schedules are left unchanged.
	 * @param definitions the schedules
	 * @param owner the lease of the process, of the same key as when they were put
	 * @return the names of those that were not put
	 * @throws IllegalStateException if the lease does not hold; nothing is put then
	 */
	Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner);

	/**
	 * Puts persistent schedules of a group, and removes all other persistent ones of the
	 * group.
	 * @param group the group
	 * @param definitions the schedules, at most {@link #MOST}
	 * @throws IllegalArgumentException as for {@link #put}
	 */
	void replaceAll(String group, Collection<ScheduleDefinition> definitions);

	/**
	 * Puts configured schedules of a group, and ends all other configured ones of the
	 * group. A schedule of the same name that was put at run time, or that belongs to
	 * another group, is left unchanged. An ended schedule that its group puts again keeps
	 * its pause and its times for an hour, and for a week if it is paused.
	 * @param leader the lease of the group's leader
	 * @param group the group
	 * @param definitions the schedules, at most {@link #MOST}
	 * @return the names of the schedules that were not put and of those that have ended,
	 * or {@code null} if the lease does not hold
	 */
	@Nullable Configured configure(LeaseProof leader, String group, Collection<ScheduleDefinition> definitions);

	/**
	 * Removes a schedule, including a damaged one. The removal of a transient schedule is
	 * recorded for some time while its process lives, so that the process does not
	 * restore it.
	 * @param name its name
	 * @return {@code false} if it does not exist
	 * @throws IllegalArgumentException if it is configured
	 */
	boolean remove(String name);

	/**
	 * Pauses a schedule. Times before it is resumed do not fire.
	 * @param name its name
	 * @return {@code false} if it does not exist
	 */
	boolean pause(String name);

	/**
	 * Resumes a schedule. Times up to now do not fire any more. Firings by a clock that
	 * was ahead and has been put back since are deleted, even if it is not paused.
	 * @param name its name
	 * @return {@code false} if it does not exist
	 */
	boolean resume(String name);

	/**
	 * Fires schedules: records the time, enqueues the job and renews the lease.
	 * Conditions are that the leader's lease holds, and that the schedule has the
	 * revision and at least the last firing that the leader knows. The time must be later
	 * than the last firing, due, and not too late.
	 * @param leader the leader's lease
	 * @param ttl the time for which to renew it
	 * @param firings at most {@link #BATCH} firings; those of a schedule in order
	 * @return a result for each
	 */
	FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings);

	/**
	 * Checks schedules that are to be put.
	 * @param definitions the schedules
	 * @param origins the allowed origins
	 * @throws IllegalArgumentException if there are too many, if one has another origin,
	 * or if two have the same name
	 */
	static void require(Collection<ScheduleDefinition> definitions, Set<ScheduleOrigin> origins) {
		Assert.isTrue(definitions.size() <= MOST,
				() -> "At most " + MOST + " schedules can be put at once, and these are " + definitions.size());
		definitions.forEach((definition) -> Assert.isTrue(origins.contains(definition.origin()),
				() -> definition + " is " + definition.origin() + ", which cannot be put here"));
		Set<String> names = new HashSet<>();
		definitions.forEach((definition) -> Assert.isTrue(names.add(definition.name()),
				() -> "Two schedules have the same name '" + definition.name() + "'"));
	}

	/**
	 * Checks schedules that are to replace those of a group.
	 * @param definitions the schedules
	 * @param origin the required origin
	 * @param group the group
	 * @throws IllegalArgumentException as for {@link #require(Collection, Set)}, or if
	 * one is of another group
	 */
	static void require(Collection<ScheduleDefinition> definitions, ScheduleOrigin origin, String group) {
		require(definitions, Set.of(origin));
		definitions.forEach((definition) -> Assert.isTrue(definition.group().equals(group),
				() -> definition + " is of group '" + definition.group() + "', and not of '" + group + "'"));
	}

	/**
	 * Schedules that a configuration affects.
	 *
	 * @param taken the names of those that were not put, because another schedule has the
	 * name
	 * @param ended the names of those that have ended, because they are not configured
	 * any more
	 */
	record Configured(Set<String> taken, Set<String> ended) {

		public Configured {
			taken = Collections.unmodifiableSet(new LinkedHashSet<>(taken));
			ended = Collections.unmodifiableSet(new LinkedHashSet<>(ended));
		}

	}

	/**
	 * Revision at a time.
	 *
	 * @param revision the revision, {@code 0} if nothing was ever put
	 * @param time the time of the store
	 */
	record RevisionAt(long revision, Instant time) {

	}

}
