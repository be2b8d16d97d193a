/**
 * Store of schedules in memory, for tests. Not part of the API.
 */
@NullMarked
package io.locket.schedule.memory;

import org.jspecify.annotations.NullMarked;
