/**
 * The queue: its port, what goes in and what comes out.
 */
@NullMarked
package io.locket.queue;

import org.jspecify.annotations.NullMarked;
