package io.locket.event;

/**
 * Something that happened to a schedule. Published as an application event too, in the
 * process that leads, on a thread of Locket's that tells of the leader and that the
 * leader does not wait for.
 */
public sealed interface ScheduleEvent extends JobEvent permits ScheduleFired, ScheduleFailed, ScheduleMissed {

	/**
	 * Return the schedule.
	 * @return the name of the schedule
	 */
	String schedule();

}
