/**
 * Election of the leader of a fleet.
 */
@NullMarked
package io.locket.schedule.leader;

import org.jspecify.annotations.NullMarked;
