/**
 * In-memory implementation of the queue for tests, and the reference for the behaviour of
 * the queue in Redis. Not part of the API.
 */
@NullMarked
package io.locket.queue.memory;

import org.jspecify.annotations.NullMarked;
