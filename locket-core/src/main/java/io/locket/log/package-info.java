/**
 * Log statements that do not repeat during an outage. Not part of the API.
 */
@NullMarked
package io.locket.log;

import org.jspecify.annotations.NullMarked;
