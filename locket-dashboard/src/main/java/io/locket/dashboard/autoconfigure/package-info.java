/**
 * Auto-configuration of the dashboard. Not part of the API.
 */
@NullMarked
package io.locket.dashboard.autoconfigure;

import org.jspecify.annotations.NullMarked;
