/**
 * Definitions of jobs: attributes, strategies, defaults, and the rules that a declaration
 * must keep. Not part of the API.
 */
@NullMarked
package io.locket.job.definition;

import org.jspecify.annotations.NullMarked;
