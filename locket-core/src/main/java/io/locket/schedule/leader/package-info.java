/**
 * Election of the leader of a fleet. Not part of the API, except
 * {@link io.locket.schedule.leader.Leadership}.
 */
@NullMarked
package io.locket.schedule.leader;

import org.jspecify.annotations.NullMarked;
