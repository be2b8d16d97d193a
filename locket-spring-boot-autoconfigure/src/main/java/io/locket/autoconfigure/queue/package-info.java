/**
 * Auto-configuration of queues, workers and consumers.
 */
@NullMarked
package io.locket.autoconfigure.queue;

import org.jspecify.annotations.NullMarked;
