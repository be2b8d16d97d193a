/**
 * The interceptor that guards direct calls, and what a conflict does to them.
 */
@NullMarked
package io.locket.aop;

import org.jspecify.annotations.NullMarked;
