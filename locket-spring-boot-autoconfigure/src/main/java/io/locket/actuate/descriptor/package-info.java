/**
 * The bodies of the answers of the endpoint.
 */
@NullMarked
package io.locket.actuate.descriptor;

import org.jspecify.annotations.NullMarked;
