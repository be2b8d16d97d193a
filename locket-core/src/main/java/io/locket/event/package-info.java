/**
 * Events of leases, jobs, schedules and the leader, and their listeners. The events are
 * one sealed hierarchy, so they are in one package.
 */
@NullMarked
package io.locket.event;

import org.jspecify.annotations.NullMarked;
