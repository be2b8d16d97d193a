/**
 * What happens to leases and jobs, told to whoever listens.
 */
@NullMarked
package io.locket.event;

import org.jspecify.annotations.NullMarked;
