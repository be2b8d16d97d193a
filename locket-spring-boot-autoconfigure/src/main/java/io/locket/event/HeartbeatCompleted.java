package io.locket.event;

import java.time.Duration;

/**
 * One beat of the heartbeat has ended.
 *
 * @param leases how many leases it was to renew; none of a beat that began so late that
 * it may have lost them
 * @param failures how many of its renewal scripts got no answer
 * @param duration how long it took
 * @param delay how much later than planned it began
 */
public record HeartbeatCompleted(int leases, int failures, Duration duration, Duration delay) implements JobEvent {

}
