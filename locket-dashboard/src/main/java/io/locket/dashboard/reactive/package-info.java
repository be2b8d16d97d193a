/**
 * The dashboard on the reactive stack.
 */
@NullMarked
package io.locket.dashboard.reactive;

import org.jspecify.annotations.NullMarked;
