/**
 * Artifacts: JDK modules and jars, their inspection, and the repository of reports.
 */
@NullMarked
package io.locket.sample.artifact;

import org.jspecify.annotations.NullMarked;
