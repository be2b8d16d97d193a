/**
 * Store of schedules in Redis.
 */
@NullMarked
package io.locket.schedule.redis;

import org.jspecify.annotations.NullMarked;
