/**
 * What logs and traces tell of calls that enqueue and of runs.
 */
@NullMarked
package io.locket.observation;

import org.jspecify.annotations.NullMarked;
