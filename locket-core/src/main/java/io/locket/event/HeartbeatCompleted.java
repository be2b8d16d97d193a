package io.locket.event;

import java.time.Duration;

/**
 * Event for a completed beat of the heartbeat.
 *
 * @param leases the number of leases to renew; none for a beat that began so late that
 * the leases may be lost
 * @param failures the number of renewal scripts without a reply
 * @param duration the duration of the beat
 * @param delay the delay of its start
 */
public record HeartbeatCompleted(int leases, int failures, Duration duration, Duration delay) implements JobEvent {

}
