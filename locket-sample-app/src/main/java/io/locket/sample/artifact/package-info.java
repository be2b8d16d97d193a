/**
 * What is inventoried: JDK modules and jars, how they are read, and where results go.
 */
@NullMarked
package io.locket.sample.artifact;

import org.jspecify.annotations.NullMarked;
