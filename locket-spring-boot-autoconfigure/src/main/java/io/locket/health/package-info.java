/**
 * Health of Locket in this process. Not part of the API.
 */
@NullMarked
package io.locket.health;

import org.jspecify.annotations.NullMarked;
