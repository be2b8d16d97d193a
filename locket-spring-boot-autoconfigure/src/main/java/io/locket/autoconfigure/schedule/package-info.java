/**
 * Auto-configuration of schedules and of the leader.
 */
@NullMarked
package io.locket.autoconfigure.schedule;

import org.jspecify.annotations.NullMarked;
