/**
 * Ports of the queue, and the values that stores and workers exchange. Not part of the
 * API of applications.
 */
@NullMarked
package io.locket.queue.spi;

import org.jspecify.annotations.NullMarked;
