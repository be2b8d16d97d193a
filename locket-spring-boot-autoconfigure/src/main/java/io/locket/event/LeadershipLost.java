package io.locket.event;

/**
 * This process leads no longer. Published once for each {@link LeadershipGained}, after
 * it.
 *
 * @param term the term
 * @param resigned whether it has given its lease back, as it does when the application
 * stops, and not lost it
 */
public record LeadershipLost(long term, boolean resigned) implements LeadershipEvent {

}
