/**
 * The Actuator endpoint for queues, jobs, leases, schedules, workers and the leader. Not
 * part of the API.
 */
@NullMarked
package io.locket.actuate;

import org.jspecify.annotations.NullMarked;
