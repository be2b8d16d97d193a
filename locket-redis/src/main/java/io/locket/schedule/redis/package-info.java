/**
 * Store of schedules in Redis. Not part of the API.
 */
@NullMarked
package io.locket.schedule.redis;

import org.jspecify.annotations.NullMarked;
