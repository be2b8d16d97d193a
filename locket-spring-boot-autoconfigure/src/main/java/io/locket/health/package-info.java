/**
 * Health of Locket in this process.
 */
@NullMarked
package io.locket.health;

import org.jspecify.annotations.NullMarked;
