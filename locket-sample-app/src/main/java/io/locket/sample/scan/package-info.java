/**
 * The scan and the inspection of one artifact, the two jobs that must not overlap.
 */
@NullMarked
package io.locket.sample.scan;

import org.jspecify.annotations.NullMarked;
