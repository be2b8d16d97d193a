/**
 * Observers of enqueuing and of runs.
 */
@NullMarked
package io.locket.observer;

import org.jspecify.annotations.NullMarked;
