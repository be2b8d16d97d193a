/**
 * The page for operators: its files, and the headers that they are served with. Not part
 * of the API.
 */
@NullMarked
package io.locket.dashboard;

import org.jspecify.annotations.NullMarked;
