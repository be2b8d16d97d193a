/**
 * How Locket is, for those who operate it.
 */
@NullMarked
package io.locket.health;

import org.jspecify.annotations.NullMarked;
