/**
 * Answers of the queue to producers and operators.
 */
@NullMarked
package io.locket.queue;

import org.jspecify.annotations.NullMarked;
