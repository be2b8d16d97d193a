/**
 * The Actuator endpoint for queues, jobs, leases, schedules, workers and the leader.
 */
@NullMarked
package io.locket.actuate;

import org.jspecify.annotations.NullMarked;
