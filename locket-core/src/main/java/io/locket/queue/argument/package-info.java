/**
 * Codec of the arguments of queued jobs. Not part of the API.
 */
@NullMarked
package io.locket.queue.argument;

import org.jspecify.annotations.NullMarked;
