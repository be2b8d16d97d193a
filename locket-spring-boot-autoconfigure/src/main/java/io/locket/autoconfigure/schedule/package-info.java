/**
 * Auto-configuration of schedules and of the leader. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.schedule;

import org.jspecify.annotations.NullMarked;
