/**
 * Redis implementation of the queue: Lua scripts, and the encoding of their arguments and
 * replies. Not part of the API.
 */
@NullMarked
package io.locket.queue.redis;

import org.jspecify.annotations.NullMarked;
