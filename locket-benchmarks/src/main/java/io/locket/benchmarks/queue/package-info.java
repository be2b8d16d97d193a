/**
 * Benchmarks of queues and workers.
 */
@NullMarked
package io.locket.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
