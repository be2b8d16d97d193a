/**
 * Auto-configuration of queues, workers and consumers. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.queue;

import org.jspecify.annotations.NullMarked;
