package io.locket.event;

/**
 * This process leads from now on.
 *
 * @param term the term
 */
public record LeadershipGained(long term) implements LeadershipEvent {

}
