/**
 * Auto-configuration for tests of services that use Locket.
 */
@NullMarked
package io.locket.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
