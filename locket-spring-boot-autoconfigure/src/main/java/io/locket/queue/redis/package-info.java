/**
 * The queue in Redis: Lua scripts, and what puts questions into their form.
 */
@NullMarked
package io.locket.queue.redis;

import org.jspecify.annotations.NullMarked;
