/**
 * The dashboard on the reactive stack. Not part of the API.
 */
@NullMarked
package io.locket.dashboard.reactive;

import org.jspecify.annotations.NullMarked;
