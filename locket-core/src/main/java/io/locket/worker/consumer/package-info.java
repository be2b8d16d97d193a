/**
 * Consumers: applications that take jobs from the queues with threads of their own. They
 * use {@link io.locket.worker.consumer.JobConsumers},
 * {@link io.locket.worker.consumer.JobConsumer} and
 * {@link io.locket.worker.consumer.ConsumedJob}. The other types are not part of the API.
 */
@NullMarked
package io.locket.worker.consumer;

import org.jspecify.annotations.NullMarked;
