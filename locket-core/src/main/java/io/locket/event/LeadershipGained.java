package io.locket.event;

/**
 * Event for the start of this process's leadership.
 *
 * @param term the term
 */
public record LeadershipGained(long term) implements LeadershipEvent {

}
