/**
 * The Actuator endpoint: queues, jobs, leases, schedules, workers and the leader, for
 * those who look at them and steer them.
 */
@NullMarked
package io.locket.actuate;

import org.jspecify.annotations.NullMarked;
