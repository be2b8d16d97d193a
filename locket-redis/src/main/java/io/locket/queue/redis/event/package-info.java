/**
 * Events of jobs, as the scripts of the queue reply them. Not part of the API.
 */
@NullMarked
package io.locket.queue.redis.event;

import org.jspecify.annotations.NullMarked;
