/**
 * Store of schedules in memory, for tests.
 */
@NullMarked
package io.locket.schedule.memory;

import org.jspecify.annotations.NullMarked;
