/**
 * From the arguments of a call to its {@link io.locket.JobKey}.
 */
@NullMarked
package io.locket.key;

import org.jspecify.annotations.NullMarked;
