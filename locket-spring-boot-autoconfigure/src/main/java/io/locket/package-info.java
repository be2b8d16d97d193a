/**
 * The annotation, its strategies and what a job body and its caller get to see. Depends
 * on the JDK only.
 */
@NullMarked
package io.locket;

import org.jspecify.annotations.NullMarked;
