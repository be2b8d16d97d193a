package io.locket.event;

import java.time.Instant;

/**
 * Event for fire times that have passed and will not fire any more. There was no leader,
 * or the job could not be enqueued, for so long that the misfire policy leaves them out.
 * The next leader publishes the event again if the schedule has not fired since.
 *
 * @param schedule the name of the schedule
 * @param after the time after which the missed times begin
 * @param upTo the latest time of the last missed one
 * @param count the number of missed times; 100 stands for 100 or more
 */
public record ScheduleMissed(String schedule, Instant after, Instant upTo, long count) implements ScheduleEvent {

}
