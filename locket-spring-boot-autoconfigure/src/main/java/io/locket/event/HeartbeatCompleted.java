package io.locket.event;

import java.time.Duration;

/**
 * One beat of the heartbeat has ended.
 *
 * @param leases how many leases it was to renew
 * @param failures how many of its renewal scripts got no answer
 * @param duration how long it took
 */
public record HeartbeatCompleted(int leases, int failures, Duration duration) implements JobEvent {

}
