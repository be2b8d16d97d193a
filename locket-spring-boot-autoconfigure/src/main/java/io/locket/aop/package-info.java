/**
 * The interceptor that guards direct calls, and the catalogue of guarded methods.
 */
@NullMarked
package io.locket.aop;

import org.jspecify.annotations.NullMarked;
