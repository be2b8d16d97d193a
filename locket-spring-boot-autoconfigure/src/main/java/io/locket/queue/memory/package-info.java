/**
 * The queue in the memory of one process, for tests and as the plain telling of what the
 * queue in Redis does.
 */
@NullMarked
package io.locket.queue.memory;

import org.jspecify.annotations.NullMarked;
