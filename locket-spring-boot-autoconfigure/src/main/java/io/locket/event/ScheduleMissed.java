package io.locket.event;

import java.time.Instant;

/**
 * Times of a schedule have passed that will not fire any more: nobody led, or the job
 * could not be enqueued, for so long that its rule for misfires leaves them out. The next
 * leader tells of them again if the schedule has not fired since.
 *
 * @param schedule the name of the schedule
 * @param after the time after which they begin
 * @param upTo the time with which they end at the latest
 * @param count how many they are; 100 says that there were 100 or more
 */
public record ScheduleMissed(String schedule, Instant after, Instant upTo, long count) implements ScheduleEvent {

}
