/**
 * Test kit for services that use Locket, without Redis.
 */
@NullMarked
package io.locket.test;

import org.jspecify.annotations.NullMarked;
