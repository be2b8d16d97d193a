/**
 * Turns of worker threads, as {@code turn.lua} and {@code handover.lua} serve them: their
 * arguments, their replies, and the calls that several threads share. Not part of the
 * API.
 */
@NullMarked
package io.locket.queue.redis.turn;

import org.jspecify.annotations.NullMarked;
