/**
 * Embedded Redis for the sample: a process that the replicas on a machine share.
 */
@NullMarked
package io.locket.sample.redis;

import org.jspecify.annotations.NullMarked;
