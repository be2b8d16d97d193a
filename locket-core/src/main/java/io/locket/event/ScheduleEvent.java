package io.locket.event;

/**
 * Event of a schedule. Also published as an application event. Published by the leader on
 * a separate thread of Locket, so that the leader does not wait for listeners.
 */
public sealed interface ScheduleEvent extends JobEvent permits ScheduleFired, ScheduleFailed, ScheduleMissed {

	/**
	 * Returns the schedule.
	 * @return the name of the schedule
	 */
	String schedule();

}
