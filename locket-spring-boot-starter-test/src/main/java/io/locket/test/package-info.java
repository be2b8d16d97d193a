/**
 * Drives the jobs of a service in its tests, without Redis.
 */
@NullMarked
package io.locket.test;

import org.jspecify.annotations.NullMarked;
