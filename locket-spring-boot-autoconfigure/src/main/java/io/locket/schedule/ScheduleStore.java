package io.locket.schedule;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Keeps the schedules of a namespace, and enqueues their jobs. Each call that changes
 * something is one step, which may be repeated: all of it happens, or nothing. Every
 * method throws a {@link io.locket.queue.QueueUnavailableException} if the store gives no
 * answer. Thread-safe.
 * <p>
 * A schedule belongs to a group. What one group has, another can neither change nor
 * replace; anyone may look at it, pause it and, unless it is configured, remove it.
 */
public interface ScheduleStore {

	/**
	 * How many firings a call may ask for.
	 */
	int BATCH = 100;

	/**
	 * How many schedules a call may put.
	 */
	int MOST = 5000;

	/**
	 * Return all schedules of all groups, but those of processes that have ended. While
	 * others change them, some may be told as they were before; the revision is never
	 * later than what is told.
	 * @return the schedules
	 */
	ScheduleBook load();

	/**
	 * Look a schedule up.
	 * @param name its name
	 * @return that schedule alone, or none
	 */
	ScheduleBook find(String name);

	/**
	 * Return the revision, by the cheapest question that there is.
	 * @return the revision, {@code 0} if nothing was ever put
	 */
	long revision();

	/**
	 * Put schedules, in the place of those of their names in their groups, also if these
	 * are configured. One that is there as it is put stays as it is; one that is changed
	 * keeps its pause and its times, but that no time up to now fires any more if it is
	 * changed in when it fires, or was disabled.
	 * @param definitions the schedules, persistent or transient, at most {@link #MOST}
	 * @param owner the process with which the transient ones end; {@code null} only if
	 * there are none
	 * @throws IllegalArgumentException if another group has one of the names: nothing is
	 * put then
	 * @throws IllegalStateException if the lease of the process does not hold: nothing is
	 * put then
	 */
	void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner);

	/**
	 * Put transient schedules again that may have ended, since their process had lost its
	 * lease, or that the store may have forgotten. Those that somebody has removed, or
	 * whose names somebody else has taken, stay away; others keep their pause and their
	 * last firing, as far as they are still known. Those that are there stay as they are.
	 * @param definitions the schedules
	 * @param owner the lease of the process, of the same key as when they were put
	 * @return the names of those that were not put
	 * @throws IllegalStateException if the lease does not hold: nothing is put then
	 */
	Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner);

	/**
	 * Put persistent schedules of a group, and remove all others of it that are
	 * persistent.
	 * @param group the group
	 * @param definitions the schedules, at most {@link #MOST}
	 * @throws IllegalArgumentException as for {@link #put}
	 */
	void replaceAll(String group, Collection<ScheduleDefinition> definitions);

	/**
	 * Put configured schedules of a group, and remove all others of it that are
	 * configured. One of the same name that was put at run time stays, and so does one of
	 * another group.
	 * @param leader the lease of the group's leader
	 * @param group the group
	 * @param definitions the schedules, at most {@link #MOST}
	 * @return the names of those that were not put, since another one has the name, or
	 * {@code null} if the lease does not hold
	 */
	@Nullable Set<String> configure(LeaseProof leader, String group, Collection<ScheduleDefinition> definitions);

	/**
	 * Remove a schedule, also one that is damaged. That a transient one was removed is
	 * known as long as its process lives, or until that has asked for it.
	 * @param name its name
	 * @return {@code false} if it was not there
	 * @throws IllegalArgumentException if it is configured
	 */
	boolean remove(String name);

	/**
	 * Pause a schedule: no time fires that comes before it is resumed.
	 * @param name its name
	 * @return {@code false} if it is not there
	 */
	boolean pause(String name);

	/**
	 * Resume a schedule: no time up to now fires any more. What it has done by a clock
	 * that was ahead, and has been put back since, is forgotten, also if it is not
	 * paused.
	 * @param name its name
	 * @return {@code false} if it is not there
	 */
	boolean resume(String name);

	/**
	 * Fire: where the leader's lease holds, the schedule is there as the leader knows it,
	 * the time is later than the last that fired, has come and may still fire, record the
	 * time, enqueue the job and renew the lease.
	 * @param leader the leader's lease
	 * @param ttl for how long to renew it
	 * @param firings at most {@link #BATCH} firings; those of a schedule in order
	 * @return a result for each
	 */
	FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings);

	/**
	 * Check what is to be put.
	 * @param definitions the schedules
	 * @param origins where they may come from
	 * @throws IllegalArgumentException if they are too many, come from elsewhere, or two
	 * have the same name
	 */
	static void require(Collection<ScheduleDefinition> definitions, Set<ScheduleOrigin> origins) {
		Assert.isTrue(definitions.size() <= MOST,
				() -> "At most " + MOST + " schedules are put at once, and these are " + definitions.size());
		definitions.forEach((definition) -> Assert.isTrue(origins.contains(definition.origin()),
				() -> definition + " is " + definition.origin() + ", which cannot be put so"));
		Set<String> names = new HashSet<>();
		definitions.forEach((definition) -> Assert.isTrue(names.add(definition.name()),
				() -> "Two schedules have the same name '" + definition.name() + "'"));
	}

	/**
	 * Check what is to replace the schedules of a group.
	 * @param definitions the schedules
	 * @param origin where they come from
	 * @param group the group
	 * @throws IllegalArgumentException as for {@link #require(Collection, Set)}, or if
	 * one is of another group
	 */
	static void require(Collection<ScheduleDefinition> definitions, ScheduleOrigin origin, String group) {
		require(definitions, Set.of(origin));
		definitions.forEach((definition) -> Assert.isTrue(definition.group().equals(group),
				() -> definition + " is of group '" + definition.group() + "', and not of '" + group + "'"));
	}

}
