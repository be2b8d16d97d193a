/**
 * Recording of a method call and its arguments without running the method. Not part of
 * the API.
 */
@NullMarked
package io.locket.job.recording;

import org.jspecify.annotations.NullMarked;
