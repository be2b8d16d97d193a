/**
 * Results of the queue for producers and operators.
 */
@NullMarked
package io.locket.queue;

import org.jspecify.annotations.NullMarked;
