/**
 * Consumers: applications that take jobs from the queues with threads of their own.
 */
@NullMarked
package io.locket.worker.consumer;

import org.jspecify.annotations.NullMarked;
