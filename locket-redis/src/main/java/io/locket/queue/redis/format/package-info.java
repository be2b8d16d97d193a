/**
 * Codecs of the arguments and replies of the queue scripts. Not part of the API.
 */
@NullMarked
package io.locket.queue.redis.format;

import org.jspecify.annotations.NullMarked;
