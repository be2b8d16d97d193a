/**
 * Generation of {@link io.locket.JobKey}s from the arguments of calls.
 */
@NullMarked
package io.locket.key;

import org.jspecify.annotations.NullMarked;
