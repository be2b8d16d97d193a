/**
 * Ports of the queue, and the values that stores and workers exchange. Not part of the
 * API of applications, except {@link io.locket.queue.spi.NewJob} and
 * {@link io.locket.queue.spi.KeyBlocker}, which other types of the API return or pass.
 */
@NullMarked
package io.locket.queue.spi;

import org.jspecify.annotations.NullMarked;
