/**
 * Log statements that do not repeat during an outage, and failures without the arguments
 * of masked jobs. Not part of the API.
 */
@NullMarked
package io.locket.log;

import org.jspecify.annotations.NullMarked;
