/**
 * Auto-configuration of the dashboard.
 */
@NullMarked
package io.locket.dashboard.autoconfigure;

import org.jspecify.annotations.NullMarked;
