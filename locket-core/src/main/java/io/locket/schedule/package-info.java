/**
 * Schedules: their definition, their times, and the port of their store.
 */
@NullMarked
package io.locket.schedule;

import org.jspecify.annotations.NullMarked;
