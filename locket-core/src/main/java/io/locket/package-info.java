/**
 * Public API: the annotation, its strategies, and the types for job bodies and their
 * callers. Depends on the JDK only.
 */
@NullMarked
package io.locket;

import org.jspecify.annotations.NullMarked;
