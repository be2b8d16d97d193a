/**
 * Codec of the arguments of queued jobs.
 */
@NullMarked
package io.locket.queue.argument;

import org.jspecify.annotations.NullMarked;
