package io.locket.event;

/**
 * Event of a lease, a job or a schedule. Events are immutable. They carry names and keys,
 * never arguments beyond the key's (possibly masked) text.
 */
public sealed interface JobEvent permits LeaseEvent, HeartbeatCompleted, CallEvent, QueueEvent, ReservationCompleted,
		LeadershipEvent, ScheduleEvent, WorkersQuieted, WorkersResumed {

}
