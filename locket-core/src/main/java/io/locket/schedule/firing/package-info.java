/**
 * Firing of due schedules by the leader. Not part of the API.
 */
@NullMarked
package io.locket.schedule.firing;

import org.jspecify.annotations.NullMarked;
