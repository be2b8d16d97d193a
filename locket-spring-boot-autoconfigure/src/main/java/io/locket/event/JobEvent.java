package io.locket.event;

/**
 * Something that happened to a lease, a job or a schedule. Events are immutable and carry
 * names and keys, never arguments beyond the key's (possibly masked) text.
 */
public sealed interface JobEvent permits LeaseEvent, HeartbeatCompleted, CallEvent, QueueEvent, ReservationCompleted,
		LeadershipEvent, ScheduleEvent {

}
