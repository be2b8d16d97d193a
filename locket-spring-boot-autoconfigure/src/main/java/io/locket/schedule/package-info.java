/**
 * Schedules, and the leader of the fleet that fires them.
 */
@NullMarked
package io.locket.schedule;

import org.jspecify.annotations.NullMarked;
