package io.locket.event;

/**
 * Something that happened to a schedule. Published as an application event too, by the
 * leader, on its thread.
 */
public sealed interface ScheduleEvent extends JobEvent permits ScheduleFired, ScheduleFailed, ScheduleMissed {

	/**
	 * Return the schedule.
	 * @return the name of the schedule
	 */
	String schedule();

}
