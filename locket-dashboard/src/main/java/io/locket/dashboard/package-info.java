/**
 * The page for operators: its files, and the headers that they are served with.
 */
@NullMarked
package io.locket.dashboard;

import org.jspecify.annotations.NullMarked;
