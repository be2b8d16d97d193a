/**
 * Leadership: which process of the fleet fires schedules.
 */
@NullMarked
package io.locket.schedule;

import org.jspecify.annotations.NullMarked;
