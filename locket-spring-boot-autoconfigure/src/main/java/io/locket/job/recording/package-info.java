/**
 * Records which method of a type somebody would call, and with what, without running it.
 */
@NullMarked
package io.locket.job.recording;

import org.jspecify.annotations.NullMarked;
