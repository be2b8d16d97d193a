package io.locket.schedule;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the schedules of a namespace, and enqueues their jobs. Each call is one step,
 * which may be repeated: all of it happens, or nothing. Every method throws a
 * {@link io.locket.queue.QueueUnavailableException} if the store gives no answer.
 * Thread-safe.
 */
public interface ScheduleStore {

	/**
	 * How many firings a call may ask for.
	 */
	int BATCH = 100;

	/**
	 * Return all schedules but those of processes that have ended.
	 * @return the schedules
	 */
	ScheduleBook load();

	/**
	 * Return the revision, by the cheapest question that there is.
	 * @return the revision, {@code 0} if nothing was ever put
	 */
	long revision();

	/**
	 * Put schedules. One that is there as it is put stays as it is; one that is changed
	 * keeps its pause and the time since which it is known.
	 * @param definitions the schedules, persistent or transient
	 * @param owner the process with which the transient ones end; {@code null} only if
	 * there are none
	 * @throws IllegalArgumentException if one of them is configured under that name:
	 * nothing is put then
	 */
	void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner);

	/**
	 * Put transient schedules again that may have ended, since their process had lost its
	 * lease. Those whose names somebody else has taken stay away; others keep their pause
	 * and their last firing, as far as they are still known.
	 * @param definitions the schedules
	 * @param owner the new lease of the process, of the same key
	 * @return the names of those that were not put
	 * @throws IllegalStateException if the lease does not hold: nothing is put then
	 */
	Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner);

	/**
	 * Return which transient schedules end with a process.
	 * @param owner the lease of the process
	 * @return their names, or {@code null} if the lease does not hold
	 */
	@Nullable Set<String> owned(LeaseProof owner);

	/**
	 * Put persistent schedules, and remove all others that are persistent.
	 * @param definitions the schedules
	 * @throws IllegalArgumentException as for {@link #put}
	 */
	void replaceAll(Collection<ScheduleDefinition> definitions);

	/**
	 * Put configured schedules, and remove all others that are configured. A persistent
	 * or transient one of the same name stays.
	 * @param leader the leader's lease
	 * @param definitions the schedules
	 * @return the names of those that were not put, since another one has the name, or
	 * {@code null} if the lease does not hold
	 */
	@Nullable Set<String> configure(LeaseProof leader, Collection<ScheduleDefinition> definitions);

	/**
	 * Remove a schedule.
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
	 * Resume a schedule.
	 * @param name its name
	 * @return {@code false} if it is not there
	 */
	boolean resume(String name);

	/**
	 * Fire: where the leader's lease holds, the schedule is there as the leader knows it,
	 * the time is later than the last that fired and has come, record the time, enqueue
	 * the job and renew the lease.
	 * @param leader the leader's lease
	 * @param ttl for how long to renew it
	 * @param firings at most {@link #BATCH} firings; those of a schedule in order
	 * @return a result for each
	 */
	FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings);

}
