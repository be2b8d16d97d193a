/**
 * Interceptor that guards direct calls of job methods, one guard for each kind of return
 * type. Not part of the API.
 */
@NullMarked
package io.locket.aop;

import org.jspecify.annotations.NullMarked;
