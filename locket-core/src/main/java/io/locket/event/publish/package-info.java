/**
 * Publisher of events to their listeners. Not part of the API.
 */
@NullMarked
package io.locket.event.publish;

import org.jspecify.annotations.NullMarked;
