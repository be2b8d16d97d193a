/**
 * The artifact inventory, a small program that demonstrates Locket.
 */
@NullMarked
package io.locket.sample;

import org.jspecify.annotations.NullMarked;
