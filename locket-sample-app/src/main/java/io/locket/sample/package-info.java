/**
 * The artifact inventory: a small program that shows Locket at work.
 */
@NullMarked
package io.locket.sample;

import org.jspecify.annotations.NullMarked;
