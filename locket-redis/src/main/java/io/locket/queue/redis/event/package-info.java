/**
 * Events of jobs, as the scripts of the queue reply them.
 */
@NullMarked
package io.locket.queue.redis.event;

import org.jspecify.annotations.NullMarked;
