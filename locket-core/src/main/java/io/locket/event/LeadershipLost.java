package io.locket.event;

/**
 * Event for the end of this process's leadership. Published once for each
 * {@link LeadershipGained}, after it.
 *
 * @param term the term
 * @param resigned whether this process released its lease, as it does when the
 * application stops, instead of losing it
 */
public record LeadershipLost(long term, boolean resigned) implements LeadershipEvent {

}
